/**
 * Builds the gateway into `dist/gateway`, a self-contained folder with compiled sources, production dependencies and
 * the site. `node dist/gateway/main.js` starts it from any location, without a build or an installation.
 */
import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { providePnpm, runStep } from './provide-pnpm.mjs'

const ROOT = join(import.meta.dirname, '..')
const TARGET = join(ROOT, 'dist/gateway')
const DRAFT = join(ROOT, 'dist/.unfinished')

/** The files that pnpm reads to install exactly the lockfile's versions for these packages alone. */
const MANIFESTS = [
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'package.json',
  'openapi/package.json',
  'sdk/package.json',
  'server/package.json',
]
/** Files for pnpm or from pnpm that the compiled gateway does not need. */
const UNNEEDED = [
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'node_modules/.modules.yaml',
  'node_modules/.pnpm',
  'node_modules/.pnpm-workspace-state-v1.json',
  // The compiler of the workspace, programs of packages, and types.
  'node_modules/.bin',
  'node_modules/typescript',
  'node_modules/@types',
  'node_modules/undici-types',
]
/** Files that the compiled sources read. */
const FILES = ['LICENSE', 'openapi/generated', 'server/src/store/migrations', 'docs/dist', 'server/console/dist']

const main = async (): Promise<void> => {
  await rm(DRAFT, { recursive: true, force: true })
  run('node', ['docs/src/build.ts', '--if-stale'])
  for (const file of MANIFESTS) await copy(file)
  await installDependencies()
  for (const file of UNNEEDED) await rm(join(DRAFT, file), { recursive: true, force: true })
  await compile()
  for (const file of FILES) await copy(file)
  await writeManifests()
  await cp(join(import.meta.dirname, 'built-main.mjs'), join(DRAFT, 'main.js'))
  await rm(TARGET, { recursive: true, force: true })
  await rename(DRAFT, TARGET)
  process.stdout.write(`${TARGET}\n`)
}

/** Leaves out TypeScript sources, because the build contains their compiled form. */
const copy = (path: string): Promise<void> =>
  cp(join(ROOT, path), join(DRAFT, path), { recursive: true, filter: (file) => !file.endsWith('.ts') })

const installDependencies = async (): Promise<void> => {
  const [program = '', ...first] = await providePnpm()
  const flags = ['--prod', '--no-optional', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts']
  // Copies instead of hard links, because the folder is moved and changed. A flat layout has links only to its own
  // packages.
  const layout = ['--config.node-linker=hoisted', '--config.package-import-method=copy']
  await runStep(program, [...first, 'install', ...flags, ...layout], DRAFT)
}

/**
 * Compiles the files that `main.ts` imports and those that the contract's package exports, and rewrites their imports.
 */
const compile = async (): Promise<void> => {
  const project = join(ROOT, 'dist/tsconfig.json')
  const compilerOptions = { noEmit: false, noCheck: true, incremental: false, rootDir: ROOT, outDir: DRAFT }
  const { exports } = JSON.parse(await readFile(join(ROOT, 'openapi/package.json'), 'utf8'))
  const exported = Object.values<string>(exports).filter((file) => file.endsWith('.ts'))
  const settings = {
    extends: '../tsconfig.json',
    compilerOptions,
    // The compiler does not find the last two through imports of main.ts: the program of a module's process is started,
    // not imported, and the worker belongs to another package.
    files: ['../server/src/main.ts', '../server/src/devices/isolation/module-main.ts', '../sdk/src/worker/index.ts'],
    // A pattern in `exports` also matches folders; a pattern of the compiler does not.
    include: exported.map((file) => join('../openapi', file.replace('*', '**/*'))),
    exclude: ['../**/*.test.ts'],
  }
  await mkdir(DRAFT, { recursive: true })
  await writeFile(project, JSON.stringify(settings))
  run('tsc', ['-p', project])
  await rm(project)
}

/**
 * Writes the manifests of the compiled packages: their exports name compiled files, and they have no dependencies to
 * install.
 */
const writeManifests = async (): Promise<void> => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'server/package.json'), 'utf8'))
  const base = { private: true, license: 'Apache-2.0', type: 'module' }
  await write('package.json', { name: 'conversation-gateway', version, ...base, engines: { node: '>=24' } })
  await write('server/package.json', { name: '@conversation-gateway/server', version, ...base })
  const { name, exports } = JSON.parse(await readFile(join(ROOT, 'openapi/package.json'), 'utf8'))
  const compiled = JSON.parse(JSON.stringify(exports).replaceAll('.ts"', '.js"'))
  await write('openapi/package.json', { name, version, ...base, exports: compiled })
  // The gateway uses only the worker of the SDK, for the command `device`.
  const worker = { './worker': './src/worker/index.js' }
  await write('sdk/package.json', { name: '@conversation-gateway/sdk', version, ...base, exports: worker })
}

const write = (path: string, manifest: object): Promise<void> =>
  writeFile(join(DRAFT, path), `${JSON.stringify(manifest, null, 2)}\n`)

/** Runs a step in the repository, with its output on standard error. */
const run = (program: string, args: readonly string[]): void => {
  const { status } = spawnSync(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  process.stderr.write(`${program} ${args.join(' ')} failed; nothing was built.\n`)
  process.exit(1)
}

await main()
