import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerContext } from '../server/context.ts'
import type { Answer } from '../server/wire.ts'
import { utf8Header } from '../utf8-header.ts'
import type { RecordIds } from './records.ts'
import { finishedRecords, readAll } from './records.ts'
import type { BearerRoute } from './routes.ts'
import { bearerRoutes } from './routes.ts'

/** Sends the complete and valid request of a route, with another prefix instead of `/api/v1`. */
const askBelow = ({ me, send }: ServerContext, prefix: string, route: BearerRoute, ids: RecordIds) => {
  const { method, json, content } = route
  return send({
    method,
    path: `${prefix}${route.path(ids)}`,
    headers: {
      authorization: `Bearer ${me.apiKey}`,
      'x-service-subject': utf8Header(me.subject),
      ...(json === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json(ids)) }),
    ...(content === undefined ? {} : { body: content }),
  })
}

/** Whether an answer comes from an API. Another site at that path may answer 200 with a page. */
const isServed = ({ status, headers }: Answer): boolean =>
  status >= 200 && status < 300 && /json|event-stream/i.test(headers['content-type'] ?? '')

/**
 * Fails if any route is served below one of these prefixes, or has an effect. Omits streams, because they do not end.
 */
export async function expectNoApiAt(t: ServerContext, prefixes: readonly string[]): Promise<void> {
  const ids = await finishedRecords(t)
  const before = await readAll(t, ids)
  for (const route of bearerRoutes(t).filter(({ stream }) => stream === undefined))
    for (const prefix of prefixes) {
      const answer = await askBelow(t, prefix, route, ids)
      assert.ok(!isServed(answer), `${route.name} is served at ${answer.request.path} with ${answer.status}`)
      if (t.profile === 'reference') assert.equal(answer.status, 404, `${route.name} at ${answer.request.path}`)
    }
  assert.deepEqual(await readAll(t, ids), before)
}
