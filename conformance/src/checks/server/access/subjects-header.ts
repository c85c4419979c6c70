import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { finishedRecords } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'subjects/recorded',
    title: 'a record has the subject of the header with which it was created',
    rules: ['SUBJ-01'],
    run: async (t) => {
      const other = t.caller({ subject: t.otherSubject() })
      for (const caller of [t.me, other, t.me]) {
        const { subject } = await t.conversation({}, caller)
        assert.equal(subject, caller.subject)
      }
    },
  },
  {
    id: 'subjects/only-from-the-header',
    title: 'a subject in the query, in a cookie or in another header is ignored',
    rules: ['SUBJ-01'],
    tags: ['security'],
    run: async (t) => {
      const other = t.caller({ subject: t.otherSubject() })
      const [mine, theirs] = [await t.conversation(), await t.conversation({}, other)]
      const elsewhere = encodeURIComponent(other.subject)
      const query = `subject=${elsewhere}&x-service-subject=${elsewhere}&X-Service-Subject=${elsewhere}`
      const headers = {
        cookie: `subject=${other.subject}`,
        subject: other.subject,
        'x-subject': other.subject,
        'x-service_subject': other.subject,
        x_service_subject: other.subject,
      }
      expectStatus(await t.me.get(`/conversations/${mine.conversation_id}`, { headers }), 200)
      expectStatus(await t.me.get(`/conversations/${theirs.conversation_id}`, { headers }), 404)
      // The route may refuse an unknown query parameter.
      expectStatus(await t.me.get(`/conversations/${mine.conversation_id}?${query}`), 200, 400)
      expectStatus(await t.me.get(`/conversations/${theirs.conversation_id}?${query}`), 404, 400)
    },
  },
  {
    id: 'subjects/any-letter-case',
    title: "the header's name is accepted in any letter case, on every route",
    rules: ['SUBJ-04'],
    streams: 1,
    run: async (t) => {
      for (const name of ['X-Service-Subject', 'X-SERVICE-SUBJECT', 'x-service-subject']) {
        const ids = await finishedRecords(t)
        for (const route of bearerRoutes(t)) {
          const { status, text } = await ask(t.me, route, ids, {
            headers: { 'x-service-subject': null, [name]: t.me.subject },
          })
          assert.ok(status < 300, `${route.name} with ${name} answered ${status} ${text.slice(0, 200)}`)
        }
      }
    },
  },
  {
    id: 'subjects/letter-case-of-the-value',
    title: 'two subjects that differ only in letter case are two subjects',
    rules: ['SUBJ-03'],
    tags: ['security'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const lower = t.fresh('customer')
      const upper = lower.toUpperCase()
      const [a, b] = [t.caller({ subject: lower }), t.caller({ subject: upper })]
      const [ofA, ofB] = [await t.conversation({}, a), await t.conversation({}, b)]
      assert.deepEqual([ofA.subject, ofB.subject], [lower, upper])
      expectStatus(await a.snapshot(ofB.conversation_id), 404)
      expectStatus(await b.snapshot(ofA.conversation_id), 404)
    },
  },
]
