import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectNoApiAt } from '../../../kit/steps/other-prefix.ts'
import { finishedRecords, unknownRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'
import { inputsIn } from '../../../kit/steps/snapshots.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/only-below-prefix',
    title: 'no route is served, and none has an effect, at its path without /api/v1',
    rules: ['GEN-04'],
    run: (t) => expectNoApiAt(t, ['']),
  },
  {
    id: 'general/announced-origin-only',
    title: 'a base URL that the gateway announces is an origin without a path',
    rules: ['GEN-02'],
    run: async (t) => {
      const { status, body } = await t.send({ method: 'GET', path: '/openapi.json' })
      const servers: unknown = status === 200 ? Object(body).servers : undefined
      if (!Array.isArray(servers) || servers.length === 0)
        return t.untestable('the gateway publishes no base URL over HTTP')
      // If the paths of the document lack the prefix, its base URL must contain it.
      if (!Object.keys(Object(Object(body).paths)).some((path) => path.startsWith('/api/v1/')))
        return t.untestable('the published document announces a base URL for paths without the prefix')
      for (const server of servers) {
        const { url, variables = {} } = server as { url: string; variables?: Record<string, { default: string }> }
        const announced = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? '')
        const { pathname, search, hash } = new URL(announced, t.config.baseUrl)
        assert.deepEqual(
          [pathname, search, hash],
          ['/', '', ''],
          `expected a base URL without path, query and fragment, got ${announced}`,
        )
      }
    },
  },
  {
    id: 'general/answers-are-json',
    title: 'every answer with a body is JSON, refusals too, except streams and the content of attachments',
    rules: ['GEN-06'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const unknown = unknownRecords(ids)
      for (const route of bearerRoutes(t)) {
        for (const answer of [await ask(t.me, route, ids), await ask(t.me, route, unknown)]) {
          const type = answer.headers['content-type'] ?? ''
          const succeeded = answer.status < 300
          // The specification leaves open the form of a refusal, so it may have no body (D-08 decides it).
          if (answer.status === 204 || (!succeeded && answer.bytes.length === 0)) continue
          if (succeeded && route.stream) assert.match(type, /^text\/event-stream\b/i, route.name)
          else if (succeeded && route.name === 'getResourceContent') assert.match(type, /^text\/plain\b/i)
          else {
            assert.match(
              type,
              /^application\/([\w.-]+\+)?json\b/i,
              `expected JSON from ${route.name}, got ${answer.status} with Content-Type ${type}`,
            )
            assert.notEqual(
              answer.body,
              undefined,
              `the body of ${route.name} is not JSON: ${answer.text.slice(0, 200)}`,
            )
          }
        }
      }
    },
  },
  {
    id: 'general/json-is-utf-8',
    title: 'text beyond ASCII is returned unchanged',
    rules: ['GEN-06'],
    run: async (t) => {
      const text = 'Grüße an Zoë, 東京, 🙂 \u{1F468}\u200D\u{1F469}, "quoted\\", \u2028 \t\n end'
      const key = `Größe-東京-${t.fresh()}`
      const conversation = await t.conversation({ conversation_key: key })
      assert.equal(conversation.business_key, key)
      const { run_id } = await t.admit(conversation, { ...t.script({ succeed: { text } }), text })
      assert.equal((await t.runEnded(run_id)).result?.text, text)
      const [submitted] = await inputsIn(t, conversation.conversation_id)
      assert.equal(submitted?.content.text, text)
    },
  },
]
