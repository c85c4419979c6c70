import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { CLOCK_SKEW_MS, expectInOrder } from '../../../kit/steps/clock-skew.ts'
import { collectMembers, membersOf } from '../../../kit/steps/record-members.ts'

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const SLEEP_MS = 1500
/** How far two clocks may differ according to the signature scheme. */
const CLOCK_DIFFERENCE_MS = 300_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/timestamps-are-utc-milliseconds',
    title: 'created_at and updated_at are ISO 8601 in UTC with milliseconds and Z, in every record and event',
    rules: ['GEN-19'],
    streams: 1,
    run: async (t) => {
      const timestamps = (await collectMembers(t)).filter(({ name }) => name.endsWith('_at'))
      const named = new Set(timestamps.map(({ name }) => name))
      assert.ok(
        named.has('created_at') && named.has('updated_at'),
        `records must have created_at and updated_at, got ${[...named].join(', ')}`,
      )
      for (const { source, name, value } of timestamps) {
        if (name !== 'created_at' && name !== 'updated_at') continue
        assert.match(
          String(value),
          TIMESTAMP,
          `${name} of ${source} is ${value}, expected UTC with three decimals and Z`,
        )
        const differenceMs = Math.abs(Date.parse(String(value)) - t.now())
        assert.ok(
          differenceMs < CLOCK_DIFFERENCE_MS,
          `${name} of ${source} is ${value}, more than 5 minutes from the current UTC time`,
        )
      }
    },
  },
  {
    id: 'general/timestamps-follow-each-other',
    title: 'timestamps follow the order of events',
    rules: ['GEN-19'],
    run: async (t) => {
      const { conversation, admission } = await t.start({ sleep_ms: SLEEP_MS }, { succeed: { text: 'x' } })
      const run = await t.runEnded(admission.run_id)
      const later = await t.conversation()
      const timestamps = [conversation.created_at, run.created_at, run.updated_at, later.created_at]
      expectInOrder('creation of the conversation, creation of the run, end of the run, later creation', timestamps)
      const tookMs = Date.parse(run.updated_at) - Date.parse(run.created_at)
      assert.ok(
        tookMs >= SLEEP_MS - CLOCK_SKEW_MS,
        `a run that sleeps for ${SLEEP_MS} ms took only ${tookMs} ms from created_at to updated_at`,
      )
    },
  },
  {
    id: 'general/timestamps-keep-zeros',
    title: 'a timestamp has exactly three decimals, even if the last of them are zero',
    rules: ['GEN-27'],
    tags: ['slow'],
    run: async (t) => {
      const inSecond = (): number => t.now() % 1000
      await t.until(
        'the end of a second is near',
        async () => inSecond(),
        (milliseconds) => milliseconds > 960,
      )
      // A creation every few milliseconds, so that one of them probably falls on the first millisecond of the second.
      const creations: Promise<unknown>[] = []
      while (inSecond() > 900 || inSecond() < 20) {
        if (creations.length < 24) creations.push(t.conversation())
        await sleep(2)
      }
      const { body } = expectStatus(
        await t.me.listConversations(`endpoint_id=${t.config.services.main}&limit=100`),
        200,
      )
      for (const { name, value } of [...membersOf('list', body), ...membersOf('created', await Promise.all(creations))])
        if (name === 'created_at') assert.match(String(value), TIMESTAMP)
    },
  },
]
