import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConnection } from './connection.ts'

const GIVEN = 'a-token-from-the-environment'
const KEPT = 'a-token-that-the-gateway-made'
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-admin-'))
  await writeFile(join(directory, 'admin-token'), `${KEPT}\n`)
})
afterAll(() => rm(directory, { recursive: true }))

type Settings = Readonly<Record<string, string>>
const read = (url: string | null, environment: Settings) => readConnection(url, environment, directory)
/** The address for these settings; the fault if there is none. */
const originOf = async (settings: Settings, url: string | null = null): Promise<string> => {
  const reading = await read(url, { GATEWAY_ADMIN_TOKEN: GIVEN, ...settings })
  return 'connection' in reading ? reading.connection.origin : reading.fault
}

it('the address comes from --url, the environment, or the defaults of a gateway', async () => {
  const settings = { GATEWAY_PUBLIC_URL: 'https://public.example.com', GATEWAY_BASE_URL: 'https://base.example.com' }
  expect(await originOf(settings, 'https://other.example.com/')).toBe('https://other.example.com')
  expect(await originOf(settings)).toBe('https://public.example.com')
  expect(await originOf({ ...settings, GATEWAY_PUBLIC_URL: '' })).toBe('https://base.example.com')
  expect(await originOf({})).toBe('http://127.0.0.1:8787')
  expect(await originOf({ GATEWAY_PORT: '9787' })).toBe('http://127.0.0.1:9787')
  expect(await originOf({ ...settings, GATEWAY_PORT: '9787' })).toBe('https://public.example.com')
  expect(await originOf({ GATEWAY_PORT: 'x' })).toMatch(/^GATEWAY_PORT must be an origin/)
})

it('the address is the one for operators if the gateway has one', async () => {
  const settings = { GATEWAY_PUBLIC_URL: 'https://public.example.com', GATEWAY_OPERATOR_PORT: '8788' }
  const at = (host: string) => originOf({ ...settings, GATEWAY_OPERATOR_HOST: host })
  expect(await originOf(settings)).toBe('http://127.0.0.1:8788')
  expect(await at('::1')).toBe('http://[::1]:8788')
  expect(await at('operator.internal')).toBe('https://operator.internal:8788')
  expect(await originOf(settings, 'https://other.example.com')).toBe('https://other.example.com')
  expect(await originOf({ ...settings, GATEWAY_OPERATOR_PORT: 'x' })).toMatch(
    /^GATEWAY_OPERATOR_HOST and GATEWAY_OPERATOR_PORT must be/,
  )
})

it.each([
  'http://gateway.example.com',
  'https://user:hidden@gateway.example.com',
  'https://gateway.example.com/x',
  'no',
])('the token is not sent to %s', async (url) => {
  const reading = await read(url, { GATEWAY_ADMIN_TOKEN: GIVEN })
  expect(reading).toEqual({ fault: expect.stringMatching(/^--url must be an origin/) })
  expect(JSON.stringify(reading)).not.toContain('hidden')
})

it('a token that the gateway created is used only for gateways on this machine', async () => {
  const settings = { GATEWAY_DATA_DIR: '.' }
  expect(await read('http://localhost:1', settings)).toMatchObject({ connection: { token: KEPT } })
  expect(await read('http://localhost:1', { ...settings, GATEWAY_ADMIN_TOKEN: GIVEN })).toMatchObject({
    connection: { token: GIVEN },
  })
  expect(await read('https://gateway.example.com', settings)).toEqual({
    fault: 'GATEWAY_ADMIN_TOKEN must be set to use https://gateway.example.com',
  })
  expect(await read(null, {})).toEqual({ fault: expect.stringContaining('GATEWAY_DATA_DIR') })
})

it('a token that is invalid in a header is refused without being shown', async () => {
  const reading = await read(null, { GATEWAY_ADMIN_TOKEN: 'a-token-with-a\nline-break' })
  expect(reading).toEqual({ fault: expect.stringMatching(/^GATEWAY_ADMIN_TOKEN must have/) })
  expect(JSON.stringify(reading)).not.toContain('line-break')
})
