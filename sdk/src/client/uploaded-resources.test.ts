import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectTo } from '../../test/support/scripted-client.ts'
import { createAnsweringFetch, json, lost, problem, type Reply } from '../../test/support/scripted-fetch.ts'
import { ORIGIN } from '../../test/support/settings.ts'
import { systemTiming } from '../transport/timing.ts'

const TEXT = 'Größe 🚀'
const BYTES = new TextEncoder().encode(TEXT)

/** A gateway that accepts declarations and content. */
const connect = (put: Reply = json(200, { resource_id: 'res_1', status: 'ready' })) => {
  const { fetch, requests } = createAnsweringFetch((request) =>
    request.method === 'POST' ? json(201, { resource_id: 'res_1' })(request) : put(request),
  )
  return { requests, ...connectTo(fetch, { timing: systemTiming }) }
}

const writeTemporary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'order.txt')
  await writeFile(path, TEXT)
  return path
}

describe('an upload', () => {
  it.each([
    ['a Buffer', () => Buffer.from(TEXT)],
    ['a view of a larger buffer', () => new Uint8Array([0, ...BYTES, 0]).subarray(1, -1)],
    ['an ArrayBuffer', () => BYTES.slice().buffer],
    ['a DataView', () => new DataView(BYTES.slice().buffer)],
    ['a Blob', () => new Blob([BYTES])],
    ['a File', () => new File([BYTES], 'its-own-name.txt')],
    ['a stream of Node', () => Readable.from([BYTES.subarray(0, 3), BYTES.subarray(3)])],
    ['a stream of the web', () => new Blob([BYTES]).stream()],
    ['a path', writeTemporary],
    ['a stream of a file', async () => createReadStream(await writeTemporary())],
  ])('of %s declares its size and sends its bytes', async (_name, make) => {
    const { client, requests } = connect()
    const record = await client.resources.upload(await make(), { filename: 'mine.txt', content_type: 'text/plain' })
    expect(record).toMatchObject({ status: 'ready' })
    expect(JSON.parse((await requests[0]?.text()) ?? '')).toEqual({
      filename: 'mine.txt',
      content_type: 'text/plain',
      size: BYTES.length,
    })
    expect(requests[1]?.url).toBe(`${ORIGIN}/api/v1/resources/res_1/content`)
    expect(await requests[1]?.text()).toBe(TEXT)
  })

  it('takes its name and type from the content if it has them', async () => {
    const { client, requests } = connect()
    await client.resources.upload(new File([BYTES], 'a.csv', { type: 'text/csv' }))
    await client.resources.upload(await writeTemporary())
    const declared = await Promise.all([0, 2].map(async (index) => JSON.parse((await requests[index]?.text()) ?? '')))
    expect(declared).toMatchObject([
      { filename: 'a.csv', content_type: 'text/csv' },
      { filename: 'order.txt', content_type: 'application/octet-stream' },
    ])
  })

  it.each([
    ['nothing', new Uint8Array(), 'An attachment has 1 to 16777216 bytes, not 0.'],
    ['too much', new Uint8Array(16 * 1024 * 1024 + 1), 'not 16777217'],
    [
      'a stream that is too long',
      Readable.from([new Uint8Array(9_000_000), new Uint8Array(9_000_000)]),
      'the stream has more',
    ],
    ['a stream of text', Readable.from(['text']), 'must give bytes'],
    [
      'a path that does not exist',
      '/nowhere/order.txt',
      '/nowhere/order.txt is not a readable file. For text, pass a Blob.',
    ],
  ])('of %s is a TypeError, and nothing is sent', async (_name, upload, message) => {
    const { client, requests } = connect()
    const error = await client.resources.upload(upload, { filename: 'x' }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(message)
    expect(requests).toEqual([])
  })

  it('of a cloned stream that is too large is refused at once', async () => {
    const { client } = connect()
    const endless = new ReadableStream<Uint8Array>({ pull: (stream) => stream.enqueue(new Uint8Array(9_000_000)) })
    const [upload, kept] = endless.tee()
    await expect(client.resources.upload(upload, { filename: 'x' })).rejects.toThrow('the stream has more')
    await kept.cancel()
  })

  it('without a name is a TypeError, and so is content that is not bytes', async () => {
    const { client, requests } = connect()
    await expect(client.resources.upload(BYTES)).rejects.toThrow('filename is missing')
    await expect(client.resources.putContent('res_1', Readable.from(['x']) as never)).rejects.toThrow(
      'resources.upload()',
    )
    expect(requests).toEqual([])
  })

  it('is declared under the caller’s key, and its bytes are sent again when their answer is lost', async () => {
    const replies = [lost, json(200, { resource_id: 'res_1', status: 'ready' })]
    const { client, requests } = connect((request) => (replies.shift() ?? lost)(request))
    await client.resources.upload(BYTES, {
      filename: 'x',
      idempotencyKey: 'mine',
      tag: 'order',
      headers: { 'x-a': '1' },
    })
    expect(requests.map(({ method, headers }) => [method, headers.get('idempotency-key'), headers.get('x-a')])).toEqual(
      [
        ['POST', 'mine', '1'],
        ['PUT', null, '1'],
        ['PUT', null, '1'],
      ],
    )
  })

  it('that the gateway refuses rejects with the code', async () => {
    const { client } = connect(problem('PAYLOAD_TOO_LARGE'))
    await expect(client.resources.upload(BYTES, { filename: 'x' })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })
})
