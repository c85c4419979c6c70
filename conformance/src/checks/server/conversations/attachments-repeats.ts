import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { declaration, declare, HELLO, putContent, upload } from '../../../kit/steps/attachments.ts'

const AT_ONCE = 6

export const checks: readonly ServerCheck[] = [
  {
    id: 'attachments/identical-upload-again',
    title: 'an identical repeat of the upload answers 200 with the same record',
    rules: ['RES-09', 'RES-18'],
    run: async (t) => {
      const { resource_id } = await declare(t)
      const first = expectStatus(await putContent(t.me, resource_id, HELLO), 200)
      for (let n = 0; n < 2; n += 1)
        assert.deepEqual(expectStatus(await putContent(t.me, resource_id, HELLO), 200).body, first.body)
      assert.equal(expectStatus(await t.me.get(`/resources/${resource_id}/content`), 200).text, HELLO)
    },
  },
  {
    id: 'attachments/other-bytes-once-ready',
    title: 'other bytes for a ready attachment answer 409 IDEMPOTENCY_CONFLICT, and the first bytes stay',
    rules: ['RES-10'],
    run: async (t) => {
      const { resource_id } = await upload(t)
      for (const content of ['hellO', 'jello'])
        expectRefusal(await putContent(t.me, resource_id, content), 409, 'IDEMPOTENCY_CONFLICT')
      // Bytes of another length differ from the declaration as well, which is 400.
      for (const content of ['hello!', 'hell', '']) expectStatus(await putContent(t.me, resource_id, content), 400, 409)
      assert.equal(expectStatus(await t.me.get(`/resources/${resource_id}/content`), 200).text, HELLO)
      expectStatus(await putContent(t.me, resource_id, HELLO), 200)
    },
  },
  {
    id: 'attachments/creation-again',
    title: 'declarations repeated under one Idempotency-Key create one attachment, even if several arrive at once',
    rules: ['RES-18'],
    tags: ['race'],
    run: async (t) => {
      const key = t.fresh('upload')
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => t.me.createResource(declaration(), { key })),
      )
      const ids = new Set(answers.map((answer) => expectStatus(answer, 201).body.resource_id))
      assert.equal(ids.size, 1)
      const [id = ''] = ids
      expectStatus(await putContent(t.me, id, HELLO), 200)
      const again = expectStatus(await t.me.createResource(declaration(), { key }), 201)
      assert.equal(again.body.resource_id, id)
      expectRefusal(await t.me.createResource(declaration({ size: 6 }), { key }), 409, 'IDEMPOTENCY_CONFLICT')
      expectRefusal(await t.me.createResource(declaration(), { headers: { 'idempotency-key': null } }), 400)
    },
  },
  {
    id: 'attachments/simultaneous-uploads',
    title: 'of different concurrent uploads exactly one is stored completely, and the others answer 409',
    rules: ['RES-10', 'RES-18'],
    tags: ['race'],
    run: async (t) => {
      const size = 300_000
      const { resource_id } = await declare(t, { size })
      const contents = ['a', 'b', 'a', 'c', 'b', 'c'].map((letter) => letter.repeat(size))
      const answers = await Promise.all(contents.map((content) => putContent(t.me, resource_id, content)))
      const { text } = expectStatus(await t.me.get(`/resources/${resource_id}/content`), 200)
      assert.ok(contents.includes(text), 'the stored content must equal one of the uploads')
      assert.deepEqual(
        answers.map(({ status }) => status),
        contents.map((content) => (content === text ? 200 : 409)),
      )
    },
  },
]
