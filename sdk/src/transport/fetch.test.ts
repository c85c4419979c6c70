import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, fetch as fetchOfUndici } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../index.ts'
import type { Fetch } from './fetch.ts'

const RUN = { run_id: 'run_1', state: 'succeeded' }
const uploads: string[] = []
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  if (request.method === 'PUT') uploads.push(text)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ ...RUN, text }))
})
const dispatcher = new Agent()
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(async () => {
  await dispatcher.close()
  server.close()
})

describe('the option fetch', () => {
  it.each<[string, Fetch]>([
    ['the global fetch', globalThis.fetch],
    ['the fetch of undici', fetchOfUndici],
    ['a fetch that chooses the dispatcher', (url, init) => fetchOfUndici(url, { ...init, dispatcher })],
    ['a fetch with host types', async (input: string | URL | Request, init?: RequestInit) => fetch(input, init)],
  ])('accepts %s, for texts and for files', async (_name, fetch) => {
    const { port } = server.address() as AddressInfo
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'gk_1', subject: 'customer', fetch })
    expect(await client.runs.get('run_1')).toMatchObject(RUN)
    await client.resources.putContent('res_1', new TextEncoder().encode('a file'))
    expect(uploads.pop()).toBe('a file')
  })
})
