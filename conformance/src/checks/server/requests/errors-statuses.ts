import assert from 'node:assert/strict'
import { streamOf } from '../../../kit/server/caller.ts'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf } from '../../../kit/server/webhook-sender.ts'
import { declare, putContent } from '../../../kit/steps/attachments.ts'
import { answeredWith, deliveryIn } from '../../../kit/steps/callbacks.ts'
import { closeStream, refusedStream } from '../../../kit/steps/events.ts'
import { finishedRecords, readAll, unknownRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

const MIB = 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }
const padded = (json: object | undefined, bytes: number): string => {
  const text = JSON.stringify(json ?? {})
  return `${text}${' '.repeat(bytes - Buffer.byteLength(text))}`
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'errors/not-found-code',
    title: 'the code of a 404 is NOT_FOUND, for unknown records and for unknown paths',
    rules: ['ERR-27'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const unknown = unknownRecords(ids)
      for (const route of bearerRoutes(t)) {
        if (route.names !== undefined)
          expectRefusal(await ask(t.me, route, { ...ids, [route.names]: unknown[route.names] }), 404, 'NOT_FOUND')
      }
      for (const path of ['/conversation', `/runs/${ids.run}/messages`, '/operations', '/runs'])
        expectRefusal(await t.me.get(path), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'errors/method-not-allowed',
    title:
      'a method that a path does not support answers 405 METHOD_NOT_ALLOWED with the supported ones in Allow, without effect',
    rules: ['ERR-28'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      const methodsOf = new Map<string, Set<string>>()
      for (const route of bearerRoutes(t)) {
        const path = route.path(ids).split('?')[0] ?? ''
        methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(route.method))
      }
      for (const [path, methods] of methodsOf)
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methods.has(each))) {
          const answer = expectRefusal(
            await t.me.request(method, path, method === 'GET' ? {} : { json: {}, key: t.fresh('key') }),
            405,
            'METHOD_NOT_ALLOWED',
          )
          const allowed = (answer.headers.allow ?? '').split(/\s*,\s*/).filter((each) => !/^(HEAD|OPTIONS)$/.test(each))
          assert.deepEqual(new Set(allowed), methods, `Allow of ${method} ${path}`)
        }
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
  {
    id: 'errors/not-acceptable',
    title: 'a stream requested as something other than text/event-stream answers 406 NOT_ACCEPTABLE',
    rules: ['ERR-29'],
    streams: 1,
    run: async (t) => {
      const { conversation, run } = await finishedRecords(t)
      for (const path of [`/conversations/${conversation}/events`, `/runs/${run}/events`]) {
        for (const accept of ['application/json', 'text/html, image/*;q=0.5', 'text/plain', 'text/event-stream;q=0'])
          expectRefusal(await refusedStream(t.me, path, { headers: { accept } }), 406, 'NOT_ACCEPTABLE')
        for (const accept of ['*/*', 'text/*', 'application/json, text/event-stream;q=0.1', null]) {
          t.note(`Accept: ${accept}`)
          await closeStream(streamOf(await t.me.tryEvents(path, { headers: { accept } })))
        }
      }
    },
  },
  {
    id: 'errors/body-too-large',
    title: 'a message of 1 MiB is accepted, and one byte more answers 413 PAYLOAD_TOO_LARGE',
    rules: ['ERR-30'],
    tags: ['limit'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      for (const route of bearerRoutes(t).filter(({ json }) => json !== undefined)) {
        const attempt = (bytes: number) =>
          ask(t.me, route, ids, { body: padded(route.json?.(ids), bytes), headers: JSON_TYPE })
        // Only the limit of a message is specified; the gateway chooses the limits of other bodies.
        if (route.name !== 'sendMessage') expectStatus(await attempt(MIB + 1), 413, 201, 202)
        else {
          const before = await readAll(t, ids)
          expectRefusal(await attempt(MIB + 1), 413, 'PAYLOAD_TOO_LARGE')
          assert.deepEqual(await readAll(t, ids), before)
          expectStatus(await attempt(MIB), 202)
        }
      }
    },
  },
  {
    id: 'errors/content-too-large',
    title:
      'a webhook above 1 MiB answers 413 PAYLOAD_TOO_LARGE, and attachment content above 16 MiB answers 413 or 400',
    rules: ['ERR-30'],
    tags: ['limit'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const { resource_id } = await declare(t, { size: 16 * MIB })
      // The content also exceeds the declared size, which may be answered with 400 (D-32).
      const tooMuch = expectStatus(await putContent(t.me, resource_id, Buffer.alloc(16 * MIB + 1)), 413, 400)
      if (tooMuch.status === 413) expectRefusal(tooMuch, 413, 'PAYLOAD_TOO_LARGE')
      const event = padded(eventOf({ text: 'x' }), MIB + 1)
      expectRefusal(await deliver(t, integrationOf(t, 'new'), event), 413, 'PAYLOAD_TOO_LARGE')
    },
  },
  {
    id: 'errors/content-type',
    title: 'a body that is not application/json answers 415 UNSUPPORTED_MEDIA_TYPE on every JSON route, without effect',
    rules: ['ERR-31'],
    run: async (t) => {
      const ids = await finishedRecords(t)
      const before = await readAll(t, ids)
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/jsonp',
        'text/json',
      ]
      for (const route of bearerRoutes(t).filter(({ json }) => json !== undefined))
        for (const type of types) {
          const body = JSON.stringify(route.json?.(ids))
          const answer = await ask(t.me, route, ids, { body, headers: { 'content-type': type } })
          expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
        }
      assert.deepEqual(await readAll(t, ids), before)
    },
  },
  {
    id: 'errors/webhook-content-type',
    title: 'a webhook that is not application/json answers 415 UNSUPPORTED_MEDIA_TYPE',
    rules: ['ERR-31'],
    needs: ['webhooks.new'],
    run: async (t) => {
      for (const contentType of ['text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await deliver(t, integrationOf(t, 'new'), eventOf({ text: 'x' }), { contentType })
        expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
      }
    },
  },
  {
    id: 'errors/webhook-conflict',
    title: 'a webhook-id repeated with a different body answers 409 WEBHOOK_CONFLICT, even for a small difference',
    rules: ['ERR-36'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const event = JSON.stringify(eventOf({ text: 'one' }))
      expectStatus(await deliver(t, integration, event, { id }), 202)
      for (const changed of [JSON.stringify(eventOf({ text: 'two' })), `${event} `, event.replace('{', '{ ')])
        expectRefusal(await deliver(t, integration, changed, { id }), 409, 'WEBHOOK_CONFLICT')
      expectStatus(await deliver(t, integration, event, { id }), 202)
    },
  },
  {
    id: 'errors/retry-refused',
    title: 'a manual retry of a delivered callback answers 409 RETRY_REFUSED',
    rules: ['ERR-37'],
    needs: ['admin', 'callbacks', 'driver.listDeliveries'],
    run: async (t) => {
      const { deliveryId } = await deliveryIn(t, await answeredWith(t, { status: 200 }), ['delivered'])
      const answer = await t.admin.request('POST', `/deliveries/${deliveryId}/retry`)
      expectRefusal(answer, 409, 'RETRY_REFUSED')
    },
  },
]
