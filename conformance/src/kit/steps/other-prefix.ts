import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerContext } from '../server/context.ts'
import type { Answer } from '../server/wire.ts'
import { utf8Header } from '../utf8-header.ts'
import type { RecordIds } from './records.ts'
import { finishedRecords, readAll } from './records.ts'
import type { BearerRoute } from './routes.ts'
import { bearerRoutes } from './routes.ts'

/** The complete and valid request of a route, with something else in the place of `/api/v1`. */
export const askBelow = ({ me, send }: ServerContext, prefix: string, route: BearerRoute, ids: RecordIds) => {
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

/** Whether an answer is what an API says, and not a page of something else that lives at that path. */
const isServed = ({ status, headers }: Answer): boolean =>
  status >= 200 && status < 300 && /json|event-stream/i.test(headers['content-type'] ?? '')

/** Fails where any route is served below one of these prefixes, or does something. Streams, which do not end, are left out. */
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
