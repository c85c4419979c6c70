import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { readRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { expectRefused } from '../../../kit/steps/work-routes.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const WINDOW_MS = 5 * MINUTE_MS

const iso = (at: number): string => new Date(at).toISOString()
/** Formats the time with this offset, such as `+02:00`. */
const atOffset = (at: number, offset: string): string => {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  const shift = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
  return iso(at + shift).replace('Z', offset)
}

/** A conversation in which every further message waits. */
async function openOccupied(t: ServerContext) {
  const { conversation, admission } = await t.start({ hang: true })
  const { conversation_id: id } = conversation
  const send = (startBefore: unknown) =>
    t.me.post<{ run_id: string }>(`/conversations/${id}/messages`, {
      expected_generation: 1,
      input: t.script({ succeed: {} }),
      start_before: startBefore,
    })
  const runs = async () => (await readSnapshot(t, id)).runs.length
  return { id, hanging: admission.run_id, send, runs }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/start-before-format',
    title: 'start_before is an RFC 3339 timestamp with a timezone, read at its offset; anything else is refused',
    rules: ['MSG-14'],
    run: async (t) => {
      const { send, runs } = await openOccupied(t)
      const soon = t.now() + 2 * MINUTE_MS
      const wrong = [
        ...[iso(soon).replace('Z', ''), iso(soon).slice(0, 19), iso(soon).slice(0, 10), iso(soon).replace(/\D/g, '')],
        ...['', 'soon', 'now', 'PT2M', new Date(soon).toUTCString(), `${iso(soon)} `, '2026-13-45T25:61:61Z'],
        ...[iso(soon).replace('Z', ' UTC'), String(soon)],
        ...[soon, Math.floor(soon / SECOND_MS), true, null, [iso(soon)], {}],
      ]
      for (const given of wrong)
        await expectRefused(`start_before ${JSON.stringify(given)}`, send(given), 400, 'INVALID_REQUEST')
      // Without their offsets these times would be within the window.
      for (const offset of ['+02:00', '-02:00', '+00:30', '-00:30']) {
        const given = iso(soon).replace('Z', offset)
        await expectRefused(`start_before ${given}`, send(given), 400, 'INVALID_REQUEST')
      }
      assert.equal(await runs(), 1, 'a message that was refused for its start_before has a run')

      const right = [
        ...[
          iso(soon),
          `${iso(soon).slice(0, 19)}Z`,
          iso(soon).replace('Z', '456789Z'),
          iso(soon).replace('Z', '+00:00'),
        ],
        ...['+02:00', '-05:30', '+14:00', '-11:45'].map((offset) => atOffset(soon, offset)),
      ]
      for (const given of right) expectStatus(await send(given), 202)
      assert.equal(await runs(), 1 + right.length)
    },
  },
  {
    id: 'messages/start-before-offset-format',
    title:
      'the offset of a start_before has hours, a colon and minutes; other spellings are not RFC 3339 and are refused',
    rules: ['MSG-14'],
    run: async (t) => {
      const { send, runs } = await openOccupied(t)
      const soon = t.now() + 2 * MINUTE_MS
      for (const offset of ['+0200', '+02', '+2:00', '02:00', '+02:0', '+02:00:00'])
        await expectRefused(
          `a start_before with the offset ${offset}`,
          send(atOffset(soon, '+02:00').replace('+02:00', offset)),
          400,
          'INVALID_REQUEST',
        )
      assert.equal(await runs(), 1)
    },
  },
  {
    id: 'messages/start-before-is-later-than-now',
    title: 'a start_before that is not later than now is refused and admits nothing',
    rules: ['MSG-15'],
    tags: ['limit'],
    run: async (t) => {
      const { send, runs } = await openOccupied(t)
      for (const ms of [1, SECOND_MS, MINUTE_MS, WINDOW_MS, 24 * 60 * MINUTE_MS])
        await expectRefused(
          `a start_before ${SECOND_MS + ms} ms ago`,
          send(iso(t.now() - SECOND_MS - ms)),
          400,
          'INVALID_REQUEST',
        )
      await expectRefused('a start_before in 1970', send('1970-01-01T00:00:00Z'), 400, 'INVALID_REQUEST')
      assert.equal(await runs(), 1)
      await expectWithinWindow(t, send, [-300, -50, -5, 0, 1, 5, 50])
      expectStatus(await send(iso(t.now() + 30 * SECOND_MS)), 202)
    },
  },
  {
    id: 'messages/start-before-within-5-minutes',
    title: 'a start_before more than 5 minutes after admission is refused and admits nothing',
    rules: ['MSG-16'],
    tags: ['limit'],
    run: async (t) => {
      const { send, runs } = await openOccupied(t)
      for (const ms of [MINUTE_MS, 55 * MINUTE_MS, 24 * 60 * MINUTE_MS, 365 * 24 * 60 * MINUTE_MS])
        await expectRefused(
          `a start_before in 5 minutes and ${ms} ms`,
          send(iso(t.now() + WINDOW_MS + ms)),
          400,
          'INVALID_REQUEST',
        )
      assert.equal(await runs(), 1)
      await expectWithinWindow(
        t,
        send,
        [-5, 0, 5, 50, 300, SECOND_MS, 5 * SECOND_MS].map((ms) => WINDOW_MS + ms),
      )
      expectStatus(await send(iso(t.now() + WINDOW_MS - 20 * SECOND_MS)), 202)
    },
  },
]

/**
 * Sends start times around an edge of the window. Which of them are admitted depends on the duration of the request.
 * The start time of an admitted run must be within the window after the creation of the run. The duration of the
 * request is tolerated, because it is unknown when during the request the gateway checks the start time.
 */
async function expectWithinWindow(
  t: ServerContext,
  send: (startBefore: string) => ReturnType<ServerContext['me']['post']>,
  offsetsMs: readonly number[],
): Promise<void> {
  for (const offsetMs of offsetsMs) {
    const at = t.now() + offsetMs
    const sentAt = performance.now()
    const answer = await send(iso(at))
    const tookMs = performance.now() - sentAt
    expectStatus(answer, 202, 400)
    if (answer.status !== 202) continue
    const { run_id: runId } = Object(answer.body)
    const { created_at: createdAt } = await readRun(t, runId)
    const afterMs = at - Date.parse(createdAt)
    assert.ok(
      afterMs > -tookMs && afterMs <= WINDOW_MS + tookMs,
      `a run created at ${createdAt} was admitted with start_before ${iso(at)}, ${afterMs} ms after its admission`,
    )
  }
}
