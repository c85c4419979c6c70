import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { beforeAll, expect, it } from 'vitest'
import { SDK_FOLDER } from '../../scripts/build.ts'
import { PACK_DEADLINE_MS, packSdk } from '../../scripts/packed-sdk.ts'
import { runProgram } from '../../scripts/run-program.ts'
import { bundle } from './bundle.ts'
import { OPTIONAL_PEERS, SUBPATHS } from './subpaths.ts'

const ATTW = join(SDK_FOLDER, 'node_modules', '.bin', 'attw')

beforeAll(packSdk, PACK_DEADLINE_MS)

const ANYWHERE = SUBPATHS.filter(({ runs }) => runs === 'anywhere')

const filesOf = async (tarball: string): Promise<string[]> =>
  (await runProgram('tar', ['-tzf', tarball])).trim().split('\n')

it('publint reports nothing', async () => {
  const { packageFolder } = await packSdk()
  const { messages } = await publint({ pkgDir: packageFolder, pack: false, strict: true })
  expect(messages).toEqual([])
})

it('types and modules resolve alike for every subpath (arethetypeswrong)', async () => {
  const { tarball } = await packSdk()
  // When the program finds a problem, it prints a table and exits with 1.
  const report = await runProgram(ATTW, [tarball, '--ignore-rules', 'cjs-resolves-to-esm'])
  expect(report).toContain('@conversation-gateway/sdk/vectors.json')
})

it('the tarball contains only programs, types and their maps, sources, vectors, documents and the manifest', async () => {
  const { tarball } = await packSdk()
  const files = await filesOf(tarball)
  const unexpected = files.filter(
    (file) => !/^package\/(dist\/[\w/-]+\.(js|d\.ts|d\.ts\.map)|src\/[\w/-]+\.ts)$/.test(file),
  )
  expect(unexpected.toSorted()).toEqual([
    'package/CHANGELOG.md',
    'package/LICENSE',
    'package/README.md',
    'package/package.json',
    'package/vectors/README.md',
    'package/vectors/signature-vectors.json',
  ])
  expect(files.filter((file) => /\.test|\/(test|bench)\//.test(file))).toEqual([])
})

it('declaration maps lead to the sources, which are packed, too', async () => {
  const { packageFolder, tarball } = await packSdk()
  const files = await filesOf(tarball)
  const maps = files.filter((file) => file.endsWith('.d.ts.map')).map((file) => file.replace('package/', ''))
  expect(maps.length).toBe(files.filter((file) => file.endsWith('.d.ts')).length)
  for (const map of maps) {
    const { sources } = JSON.parse(await readFile(join(packageFolder, map), 'utf8'))
    expect(sources).toHaveLength(1)
    const source = join(dirname(map), sources[0])
    expect(source).toBe(map.replace('dist/', 'src/').replace('.d.ts.map', '.ts'))
    expect(files).toContain(join('package', source))
  }
})

it('the manifest names only existing files, two dependencies, and no package of the workspace', async () => {
  const { packageFolder, tarball } = await packSdk()
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual(['eventsource-parser', 'openapi-fetch'])
  expect(manifest).toMatchObject({ type: 'module', sideEffects: false, engines: { node: '>=22.12' } })
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|\/src\//)
  const files = new Set(await filesOf(tarball))
  const targets = Object.values<string | object>(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values<string>({ ...target }),
  )
  expect(targets.filter((target) => !files.has(join('package', target)))).toEqual([])
})

it.each(ANYWHERE)('$name imports nothing of Node', async ({ name }) => {
  await expect(bundle(`export * from '${name}'`, { external: OPTIONAL_PEERS })).resolves.toBeDefined()
})

it('the file outbox imports modules of Node, which the check above would notice', async () => {
  await expect(bundle("export * from '@conversation-gateway/sdk/outbox/file'")).rejects.toThrow('node:')
})

it('importing a subpath without using it adds nothing to a bundle', async () => {
  const imports = ANYWHERE.map(({ name }) => `import '${name}'`).join('\n')
  expect((await bundle(imports, { external: OPTIONAL_PEERS })).minifiedBytes).toBe(0)
})

it.each([
  { what: 'the whole client', code: "export { createClient } from '@conversation-gateway/sdk'", budgetBytes: 24_704 },
  {
    what: 'the verifier of callbacks',
    code: "export { verifyCallback } from '@conversation-gateway/sdk/callbacks'",
    budgetBytes: 2048,
  },
])('$what, minified, takes at most $budgetBytes bytes of gzip', async ({ code, budgetBytes }) => {
  const { gzipBytes, modules } = await bundle(code)
  const heaviest = modules.slice(0, 15).map(({ path, bytes }) => `${String(bytes).padStart(7)} ${path}`)
  expect(gzipBytes, `minified bytes of the heaviest modules:\n${heaviest.join('\n')}`).toBeLessThanOrEqual(budgetBytes)
})
