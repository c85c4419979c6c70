import { expect, it } from 'vitest'
import { loadChecks } from '../../../src/checks/load-checks.ts'
import { runSuite } from '../../../src/run/run-suite.ts'
import { startGatewayInMemory } from './gateway-in-memory.ts'

/** Features that the in-memory gateway does not claim: limits of streams, expiry of data, and timers. */
const NOT_CLAIMED = [
  'limits/four-streams-of-a-subject',
  'limits/four-streams-of-a-subject-at-once',
  'limits/sixteen-streams-of-an-application',
  'retention/events-for-7-days',
  // Their scripts sleep, or need time to stop. A run ends as `interrupted` at a step that the gateway does not support.
  'conversations/generation-waits-for-the-operation',
  'conversations/resetting-refuses-messages',
  'errors/resetting-is-busy',
  'events/later-deltas-come-on-their-own',
  'general/timestamps-follow-each-other',
  'messages/busy-while-resetting',
  'operations/failed-is-no-success',
  'operations/incomplete-until-done',
  'reset/advances-when-all-has-stopped',
  'reset/messages-race-the-reset',
  'reset/rejects-work-that-is-stopping',
  'runs/cancel-races-the-end',
  'runs/cancelling-until-confirmed',
  'runs/one-at-a-time',
  'runs/running-is-active',
  'streams/closing-conversation-stream-cancels-nothing',
  'streams/closing-leaves-a-queued-run',
  'streams/closing-run-stream-cancels-nothing',
]

it('the in-memory gateway follows the rules of core that it claims', async () => {
  const claimed = (await loadChecks('server')).map(({ id }) => id).filter((id) => !NOT_CLAIMED.includes(id))
  const options = { target: 'server', profile: 'core', checks: claimed } as const
  const { checks } = await runSuite({ ...options, config: await startGatewayInMemory() })
  const failed = checks.filter(({ status }) => status === 'failed')
  expect(failed.map(({ id, message }) => ({ id, message }))).toEqual([])
  // Most of the others need webhooks, callbacks, or an operator.
  expect(checks.filter(({ status }) => status === 'passed').length).toBeGreaterThan(220)
}, 600_000)
