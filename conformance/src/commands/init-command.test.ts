import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runAndRecord } from '../../test/run-and-record.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-init-'))
})
afterEach(() => rm(folder, { recursive: true }))

const init = (...args: string[]) => runAndRecord('init', ...args)

/** The export of a written file. The package's function is replaced, because the folder has no packages. */
const load = async (file: string): Promise<unknown> => {
  const text = (await readFile(file, 'utf8')).replace(/^import .*$/m, 'const defineServerConfig = (config) => config')
  const loaded: { default: unknown } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  return loaded.default
}

describe('gateway-conformance init', () => {
  it('writes a configuration with the given settings and without any key', async () => {
    const file = join(folder, 'a.mjs')
    const said = ['--base-url', 'https://g.example.com/', '--service', "it's", '--control-url', 'http://127.0.0.1:1']
    const { code } = await init(file, ...said)
    expect(code).toBe(0)
    expect(await load(file)).toMatchObject({
      baseUrl: 'https://g.example.com',
      services: { main: "it's", foreign: 'ep_foreign' },
      control: { url: 'http://127.0.0.1:1' },
    })
    expect(await readFile(file, 'utf8')).toContain('key: process.env.FIRST_KEY')
  })

  it('writes the same settings as YAML if the file name ends with a YAML extension', async () => {
    const said = ['--base-url', 'https://g.example.com/', '--service', "it's", '--control-url', 'http://127.0.0.1:1']
    const files = [join(folder, 'a.mjs'), join(folder, 'a.yaml')] as const
    for (const file of files) expect((await init(file, ...said)).code).toBe(0)
    const [module, yaml] = [await load(files[0]), parse(await readFile(files[1], 'utf8'))]
    const { apps, ...settings } = Object(yaml)
    expect(apps).toEqual({ first: { key: `\${FIRST_KEY}` }, second: { key: `\${SECOND_KEY}` } })
    expect({ ...settings, apps: { first: {}, second: {} } }).toEqual(module)
  })

  it('does not overwrite an existing file', async () => {
    const file = join(folder, 'a.mjs')
    await writeFile(file, 'mine')
    const { code, err } = await init(file)
    expect([code, err]).toEqual([2, `${file} already exists.\n`])
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  it('refuses a base URL that is not an origin', async () => {
    const { code, err } = await init(join(folder, 'a.mjs'), '--base-url', 'http://g.example.com/api/v1')
    expect([code, err]).toEqual([2, expect.stringContaining('--base-url must be an origin')])
  })
})
