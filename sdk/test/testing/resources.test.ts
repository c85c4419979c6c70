import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withTestGateway } from './support/client.ts'

const { gateway, call, create } = withTestGateway()

const bytes = new TextEncoder().encode('hi there')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const declaration = { filename: 'Größe "1".txt', content_type: 'text/plain; charset=utf-8', size: 8 }

const declare = async (more: object = {}) =>
  ({ resource_id: (await call('createResource', { body: { ...declaration, ...more } })).json.resource_id }) as const

const upload = (ids: { resource_id: string }, body: Uint8Array = bytes) => call('putResourceContent', { ids, body })

const sendWith = async (resource_ids: string[]) => {
  const ids = { conversation_id: await create() }
  return call('sendMessage', { ids, body: { expected_generation: 1, input: { resource_ids } } })
}

describe('an attachment', () => {
  it('is pending until its bytes are uploaded, and then returns them unchanged', async () => {
    const ids = await declare()
    const pending = { ...declaration, ...ids, app_id: 'app_test', subject: 'customer', sha256: null, status: 'pending' }
    expect((await call('getResource', { ids })).json).toMatchObject(pending)
    expect((await call('getResourceContent', { ids })).status).toBe(404)
    expect((await upload(ids)).json).toMatchObject({ ...pending, sha256, status: 'ready' })
    const content = await call('getResourceContent', { ids })
    expect([content.text, content.headers.get('content-type')]).toEqual(['hi there', declaration.content_type])
    expect(content.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.txt",
    )
  })

  it('refuses bytes with another length or hash, and stays pending', async () => {
    const ids = await declare({ sha256 })
    expect((await upload(ids, bytes.slice(1))).json.code).toBe('INVALID_REQUEST')
    expect((await upload(ids, bytes.toReversed())).json.code).toBe('INVALID_REQUEST')
    expect((await call('getResource', { ids })).json.status).toBe('pending')
    expect((await upload(ids)).status).toBe(200)
  })

  it('accepts the same bytes again, but no other bytes', async () => {
    const ids = await declare()
    await upload(ids)
    expect((await upload(ids)).status).toBe(200)
    expect((await upload(ids, bytes.toReversed())).json.code).toBe('IDEMPOTENCY_CONFLICT')
  })

  it('can be used only when it is ready, and only by its own subject', async () => {
    const ids = await declare()
    const pointerOf = async (...given: string[]) => (await sendWith(given)).json.errors[0].pointer
    expect(await pointerOf(ids.resource_id)).toBe('/input/resource_ids/0')
    await upload(ids)
    expect(await pointerOf(ids.resource_id, 'res_absent')).toBe('/input/resource_ids/1')
    expect((await sendWith([ids.resource_id])).status).toBe(202)
    expect(gateway.conversations.at(-1)?.messages[0]?.content).toEqual({ resource_ids: [ids.resource_id] })
    for (const id of ['getResource', 'getResourceContent', 'deleteResource', 'putResourceContent'])
      expect((await call(id, { ids, subject: 'another' })).status).toBe(404)
  })

  it('cannot be deleted while an unfinished run uses it', async () => {
    const ids = await declare()
    await upload(ids)
    gateway.hold()
    await sendWith([ids.resource_id])
    expect((await call('deleteResource', { ids })).json.code).toBe('BUSY')
    gateway.release()
    expect((await call('deleteResource', { ids })).status).toBe(204)
    expect((await call('getResource', { ids })).status).toBe(404)
  })

  it('is at most 16 MiB', async () => {
    const ids = await declare()
    expect((await call('createResource', { body: { ...declaration, size: 16 * 1024 * 1024 + 1 } })).status).toBe(400)
    expect((await upload(ids, new Uint8Array(16 * 1024 * 1024 + 1))).json.code).toBe('PAYLOAD_TOO_LARGE')
  })
})
