import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { declaration, declare, HELLO, HELLO_SHA256, putContent, upload } from '../../../kit/steps/attachments.ts'
import { cancelRun } from '../../../kit/steps/runs.ts'

const LIMIT = 16 * 1024 * 1024

export const checks: readonly ServerCheck[] = [
  {
    id: 'attachments/creation-answers-the-record',
    title: 'a declared attachment answers 201 with its record, is pending, and reads the same',
    rules: ['RES-04', 'RES-05', 'RES-06', 'RES-13'],
    run: async (t) => {
      const filename = 'Übersicht "1" 日本.txt'
      const record = await declare(t, { filename, content_type: 'text/plain; charset=utf-8', sha256: HELLO_SHA256 })
      const { resource_id, created_at, app_id } = record
      assert.partialDeepStrictEqual(record, {
        subject: t.me.subject,
        filename,
        content_type: 'text/plain; charset=utf-8',
        size: HELLO.length,
        sha256: HELLO_SHA256,
        status: 'pending',
      })
      assert.ok(
        Math.abs(Date.parse(created_at) - t.now()) < 300_000,
        `created_at is not the current time: ${created_at}`,
      )
      if (t.config.apps.first.appId !== undefined) assert.equal(app_id, t.config.apps.first.appId)
      assert.deepEqual(expectStatus(await t.me.get(`/resources/${resource_id}`), 200).body, record)
      const undeclared = await declare(t)
      assert.equal(undeclared.sha256 ?? null, null)
      assert.notEqual(undeclared.resource_id, resource_id)
    },
  },
  {
    id: 'attachments/content-makes-it-ready',
    title: 'uploading the raw bytes answers 200 with the ready record, for any content type',
    rules: ['RES-05', 'RES-07', 'RES-13'],
    run: async (t) => {
      const before = await declare(t)
      const ready = expectStatus(await putContent(t.me, before.resource_id, HELLO), 200).body
      const { resource_id: id, filename, size, created_at } = before
      assert.partialDeepStrictEqual(ready, { resource_id: id, filename, size, created_at, status: 'ready' })
      assert.deepEqual(expectStatus(await t.me.get(`/resources/${before.resource_id}`), 200).body, ready)
      // The specification does not define the handling of a malformed header.
      const malformed = t.profile === 'reference' ? ['not a type', ''] : []
      for (const contentType of ['application/json', 'text/html; charset=x', ...malformed]) {
        const { resource_id } = await declare(t)
        const headers = { 'content-type': contentType }
        expectStatus(await t.me.request('PUT', `/resources/${resource_id}/content`, { body: HELLO, headers }), 200)
      }
    },
  },
  {
    id: 'attachments/content-of-pending',
    title: 'the content of a pending attachment answers 404, and 200 once it is ready',
    rules: ['RES-11'],
    run: async (t) => {
      const { resource_id } = await declare(t)
      const content = () => t.me.get(`/resources/${resource_id}/content`)
      expectRefusal(await content(), 404, 'NOT_FOUND')
      expectRefusal(await putContent(t.me, resource_id, 'other'.repeat(2)), 400)
      expectRefusal(await content(), 404, 'NOT_FOUND')
      expectStatus(await putContent(t.me, resource_id, HELLO), 200)
      assert.equal(expectStatus(await content(), 200).text, HELLO)
    },
  },
  {
    id: 'attachments/exact-bytes',
    title: 'the content is exactly the uploaded bytes, for all byte values and across many packets',
    rules: ['RES-07', 'RES-14'],
    run: async (t) => {
      const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, at) => (at * 31 + (at >> 8)) % 256))
      const { resource_id } = await declare(t, { size: bytes.length, content_type: 'image/png' })
      expectStatus(await putContent(t.me, resource_id, bytes), 200)
      const content = expectStatus(await t.me.get(`/resources/${resource_id}/content`), 200)
      assert.ok(
        content.bytes.equals(bytes),
        `${content.bytes.length} bytes were returned that differ from the sent ones`,
      )
    },
  },
  {
    id: 'attachments/size-limit',
    title: 'an attachment of exactly 16 MiB is accepted; one more byte can neither be declared nor sent',
    rules: ['RES-12', 'RES-17'],
    tags: ['limit'],
    run: async (t) => {
      for (const size of [LIMIT + 1, LIMIT * 4, 2 ** 40])
        expectRefusal(await t.me.createResource(declaration({ size })), 400, 'INVALID_REQUEST')
      const { resource_id } = await declare(t, { size: LIMIT })
      const tooLong = Buffer.alloc(LIMIT + 1, 7)
      expectStatus(await putContent(t.me, resource_id, tooLong), 400, 413)
      expectStatus(await putContent(t.me, resource_id, tooLong.subarray(1)), 200)
      const content = expectStatus(await t.me.get(`/resources/${resource_id}/content`), 200)
      assert.equal(content.bytes.length, LIMIT)
    },
  },
  {
    id: 'attachments/other-content-than-declared',
    title:
      'content of another length or hash than declared answers 400, and the attachment stays pending and can still be uploaded',
    rules: ['RES-08'],
    run: async (t) => {
      const { resource_id } = await declare(t, { sha256: HELLO_SHA256 })
      const lengthOnly = await declare(t)
      const tries = [
        ...['', 'hell', 'hello!', 'hellO', HELLO.repeat(1000)].map((content) => [resource_id, content] as const),
        ...['', 'hell', 'hello!'].map((content) => [lengthOnly.resource_id, content] as const),
      ]
      for (const [id, content] of tries) {
        expectRefusal(await putContent(t.me, id, content), 400, 'INVALID_REQUEST')
        const { status } = expectStatus(await t.me.get<{ status: string }>(`/resources/${id}`), 200).body
        assert.equal(status, 'pending', `after content ${JSON.stringify(content.slice(0, 10))}`)
      }
      expectStatus(await putContent(t.me, resource_id, HELLO), 200)
      expectStatus(await putContent(t.me, lengthOnly.resource_id, 'hallo'), 200)
    },
  },
  {
    id: 'attachments/deletion',
    title: 'a deletion answers 204 and every route treats the attachment and its content as deleted',
    rules: ['RES-15'],
    run: async (t) => {
      const { resource_id } = await upload(t)
      const path = `/resources/${resource_id}`
      const removed = expectStatus(await t.me.request('DELETE', path), 204)
      assert.equal(removed.bytes.length, 0)
      expectRefusal(await t.me.get(path), 404, 'NOT_FOUND')
      expectRefusal(await t.me.get(`${path}/content`), 404, 'NOT_FOUND')
      expectRefusal(await putContent(t.me, resource_id, HELLO), 404, 'NOT_FOUND')
      expectRefusal(await t.me.request('DELETE', path), 404, 'NOT_FOUND')
      const { conversation_id } = await t.conversation()
      const used = await t.me.send(conversation_id, { text: 'x', resource_ids: [resource_id] })
      expectRefusal(used, 400, 'INVALID_REQUEST')
      const pending = await declare(t)
      expectStatus(await t.me.request('DELETE', `/resources/${pending.resource_id}`), 204)
    },
  },
  {
    id: 'attachments/deletion-while-used',
    title:
      'the deletion of an attachment that an unfinished run uses answers 409 BUSY, and succeeds once the run has ended',
    rules: ['RES-16'],
    run: async (t) => {
      const { resource_id } = await upload(t)
      const conversation = await t.conversation()
      const hanging = { ...t.script({ hang: true }), resource_ids: [resource_id] }
      const first = await t.admit(conversation, hanging)
      const queued = await t.admit(conversation, hanging)
      const remove = () => t.me.request('DELETE', `/resources/${resource_id}`)
      await t.runIn(first.run_id, ['running'])
      expectRefusal(await remove(), 409, 'BUSY')
      await cancelRun(t, first.run_id)
      expectRefusal(await remove(), 409, 'BUSY')
      assert.equal(expectStatus(await t.me.get(`/resources/${resource_id}/content`), 200).text, HELLO)
      await cancelRun(t, queued.run_id)
      expectStatus(await remove(), 204)
    },
  },
]
