import { equal, match, ok } from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { whileAdmissionIsPaused } from '../../../kit/steps/suspensions.ts'

/** A sample of Prometheus or OpenMetrics: name, labels, value, then optionally a timestamp and an exemplar. */
const SAMPLE =
  /^[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? ([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|NaN|[-+]?Inf)( -?[\d.]+)?( # .*)?$/i

export const checks: readonly ServerCheck[] = [
  {
    id: 'running/probes',
    title: 'probes, metrics, reference and contract are outside /api/v1 and need no key',
    rules: ['OPS-04', 'OPS-05', 'OPS-06', 'OPS-07', 'OPS-08', 'OPS-09'],
    run: async (t) => {
      const get = async (path: string) => expectStatus(await t.send({ method: 'GET', path }), 200)
      await get('/healthz')
      // The specification does not define its body.
      await get('/readyz')
      const metrics = await get('/metrics')
      match(metrics.headers['content-type'] ?? '', /^(text\/plain|application\/openmetrics-text)/)
      const samples = metrics.text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))
      ok(samples.length > 0, '/metrics has no samples')
      for (const line of samples) match(line, SAMPLE, `not Prometheus text: ${line}`)
      const docs = await t.send({ method: 'GET', path: '/docs' })
      ok([200, 301, 302, 307, 308].includes(docs.status), `/docs is answered with ${docs.status}`)
      const contract = await get('/openapi.json')
      match(String(Object(contract.body).openapi), /^3\./)
      // The prefix may be part of the server URLs.
      const paths = Object.keys(Object(Object(contract.body).paths))
      ok(
        paths.some((path) => /^(\/api\/v1)?\/conversations$/.test(path)),
        '/openapi.json lacks the conversations',
      )
      for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json'])
        equal((await t.send({ method: 'GET', path: `/api/v1${path}` })).status === 200, false, `/api/v1${path} exists`)
    },
  },
  {
    id: 'running/paused-admission-is-told',
    title: '/readyz and /metrics report paused admission, and the process stays ready',
    rules: ['OPS-19'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    alone: 'all',
    run: async (t) => {
      const readAdmission = async () => {
        const ready = await t.send({ method: 'GET', path: '/readyz' })
        const [, paused] =
          /^gateway_admission_paused (\d)$/m.exec((await t.send({ method: 'GET', path: '/metrics' })).text) ?? []
        return { status: ready.status, admission: Object(ready.body).admission, paused }
      }
      const untilReported = (admission: string, paused: string) =>
        t.until(
          `admission is reported as ${admission}`,
          readAdmission,
          (seen) => seen.admission === admission && seen.paused === paused,
        )
      equal((await untilReported('open', '0')).status, 200)
      await whileAdmissionIsPaused(t, async () => {
        equal((await untilReported('paused', '1')).status, 200, 'the process is not ready while admission is paused')
      })
      await untilReported('open', '0')
    },
  },
  {
    id: 'running/accepted-survives-a-kill',
    title: 'records acknowledged with 201 or 202 survive killing the process immediately afterwards',
    rules: ['OPS-10', 'OPS-12'],
    tags: ['durability'],
    needs: ['driver.restartServer'],
    alone: 'all',
    run: async (t) => {
      const conversations = await Promise.all(Array.from({ length: 10 }, () => t.conversation()))
      const admissions = await Promise.all(
        conversations.map((conversation) => t.admit(conversation, t.script({ delta: 'kept' }))),
      )
      await t.driver.restartServer()
      for (const [at, admission] of admissions.entries()) {
        const conversation = conversations[at]
        const snapshot = await readSnapshot(t, conversation?.conversation_id ?? '')
        ok(
          snapshot.messages.some(({ message_id }) => message_id === admission.message_id),
          'an admitted message was lost',
        )
        expectStatus(await t.me.run(admission.run_id), 200)
      }
    },
  },
]
