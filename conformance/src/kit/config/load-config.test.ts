import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadReceiver } from '../../run/load-receiver.ts'
import { loadServer } from '../../run/load-server.ts'
import { parseDeclared } from './declared-config.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

const WHOLE = `
baseUrl: http://127.0.0.1:8787
apps:
  first: { key: gk_one }
  second: { key: gk_two }
subjects: { first: a, second: b }
services: { main: ep_main, foreign: ep_foreign }
deadlines: { settleMs: 20000 }
`

const load = async (text: string) => {
  const file = join(folder, 'gateway.config.yaml')
  await writeFile(file, text)
  return loadServer(file)
}

describe('a configuration in YAML', () => {
  it('is loaded with its members as strings and numbers', async () => {
    expect(await load(WHOLE)).toMatchObject({ apps: { first: { key: 'gk_one' } }, deadlines: { settleMs: 20_000 } })
  })

  it.each([
    [WHOLE.replace('deadlines', 'deadline'), 'deadline: unknown member; did you mean deadlines?'],
    [WHOLE.replace('20000', 'long'), 'deadlines.settleMs: must be a number, not a string'],
    [WHOLE.replace('gk_one', ''), 'apps.first.key: must be an API key'],
    [`${WHOLE}stop: now`, 'stop: must be a function, not a string; only a module can contain one'],
    ['a: [', 'cannot be read'],
    ['', 'has no configuration'],
    ['- a', 'baseUrl: must be a URL'],
  ])('is refused with a sentence for each fault', async (text, fault) => {
    await expect(load(text)).rejects.toThrow(fault)
  })

  it('reads secrets from the environment, and names missing variables', () => {
    const text = `apps: { first: { key: "\${ONE}" }, second: { key: "x-\${TWO}" } }`
    expect(parseDeclared('a.yaml', text, { ONE: '1', TWO: '2' })).toEqual({
      apps: { first: { key: '1' }, second: { key: 'x-2' } },
    })
    expect(() => parseDeclared('a.yaml', text, { ONE: '1' })).toThrow(
      'a.yaml has faults:\n- apps.second.key: the environment has no TWO',
    )
  })
})

it('stops a refused configuration that was already started', async () => {
  let stopped = 0
  const stop = async () => {
    stopped += 1
  }
  await expect(loadServer(async () => ({ baseUrl: 'nowhere', stop }))).rejects.toThrow('baseUrl: must be a URL')
  await expect(loadReceiver(async () => ({ url: 'nowhere', stop }))).rejects.toThrow('url must be the URL')
  expect(stopped).toBe(2)
})
