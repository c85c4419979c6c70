import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf } from '../../../kit/server/webhook-sender.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { finishedRecords, unknownRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

const requestIdOf = ({ headers }: Pick<Answer, 'headers'>): string => headers['x-request-id'] ?? ''

export const checks: readonly ServerCheck[] = [
  {
    id: 'requests/json-is-taken',
    title: 'a JSON body is accepted under application/json on every route with a body, in any spelling of the type',
    rules: ['REQ-02'],
    run: async (t) => {
      const routes = bearerRoutes(t).filter(({ json, decided }) => json !== undefined && decided === undefined)
      // The specification names only the first. HTTP defines that types are case-insensitive and may have parameters.
      const types = ['application/json', 'application/json; charset=utf-8', 'Application/JSON']
      for (const type of t.profile === 'core' ? types.slice(0, 1) : types) {
        const ids = await finishedRecords(t)
        for (const route of routes) {
          const body = JSON.stringify(route.json?.(ids), null, 2)
          const { status, text } = await ask(t.me, route, ids, { body, headers: { 'content-type': type } })
          assert.ok(
            status < 300,
            `expected 2xx from ${route.name} with Content-Type ${type}, got ${status} ${text.slice(0, 200)}`,
          )
        }
      }
    },
  },
  {
    id: 'requests/request-id-everywhere',
    title: 'every answer has X-Request-Id: successes, refusals, streams, unknown paths and pages',
    rules: ['REQ-03'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const unknown = unknownRecords(ids)
      const answers: Answer[] = []
      for (const route of bearerRoutes(t))
        answers.push(
          await ask(t.me, route, ids),
          await ask(t.me, route, unknown),
          await ask(t.me, route, ids, { headers: { authorization: null } }),
        )
      answers.push(await t.me.request('PATCH', '/conversations', { json: {} }))
      for (const path of ['/', '/api/v1', '/no-such-page', '/healthz', '/readyz', '/metrics', '/openapi.json'])
        answers.push(await t.send({ method: 'GET', path }))
      for (const answer of answers)
        assert.notEqual(
          requestIdOf(answer),
          '',
          `the ${answer.status} to ${answer.request.method} ${answer.request.path} has no X-Request-Id`,
        )
    },
  },
  {
    id: 'requests/request-id-of-the-caller',
    title: 'every route returns an X-Request-Id of 1 to 128 visible ASCII characters unchanged',
    rules: ['REQ-04'],
    tags: ['limit'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      for (const route of bearerRoutes(t)) {
        const id = `trace/${route.name.replaceAll(' ', '+')}#${t.fresh()}`
        assert.equal(requestIdOf(await ask(t.me, route, ids, { headers: { 'x-request-id': id } })), id, route.name)
      }
      const path = `/conversations/${ids.conversation}`
      for (const id of ['a', '!', '~'.repeat(128), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 'REQ_Upper-Case', 'a,b'])
        for (const authorization of [`Bearer ${t.me.apiKey}`, null]) {
          const answer = await t.me.get(path, { headers: { authorization, 'x-request-id': id } })
          assert.equal(
            requestIdOf(answer),
            id,
            `the ${answer.status} has X-Request-Id ${requestIdOf(answer)}, expected the sent ${id}`,
          )
        }
    },
  },
  {
    id: 'requests/request-id-made',
    title: 'if X-Request-Id is absent, empty, too long or not visible ASCII, each answer has a new one',
    rules: ['REQ-05'],
    tags: ['limit'],
    streams: 1,
    run: async (t) => {
      const ids = await finishedRecords(t)
      const seen: string[] = []
      for (const route of bearerRoutes(t)) seen.push(requestIdOf(await ask(t.me, route, ids)))
      for (const id of ['', ' ', '~'.repeat(129), 'x'.repeat(1000), 'a b', 'a\tb', 'a\u00e4', '\u00ff']) {
        const answer = await t.me.get(`/runs/${ids.run}`, { headers: { 'x-request-id': id } })
        expectStatus(answer, 200)
        assert.notEqual(requestIdOf(answer), id, `the invalid X-Request-Id ${JSON.stringify(id)} was returned`)
        seen.push(requestIdOf(answer))
      }
      for (const id of seen) assert.match(id, /^[\x21-\x7e]{1,128}$/)
      assert.equal(new Set(seen).size, seen.length, 'two answers have the same generated X-Request-Id')
    },
  },
  {
    id: 'requests/request-id-of-webhooks',
    title: 'answers to webhooks have an X-Request-Id: the one of the request if it is valid',
    rules: ['REQ-03', 'REQ-04'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('trace')
      const headers = { 'x-request-id': id }
      assert.equal(requestIdOf(await deliver(t, integration, eventOf({ text: 'x' }), { headers })), id)
      assert.equal(requestIdOf(await deliver(t, integration, '{', { headers, secret: 'wrong' })), id)
      assert.notEqual(requestIdOf(await deliver(t, integration, eventOf({ text: 'x' }))), '')
    },
  },
]
