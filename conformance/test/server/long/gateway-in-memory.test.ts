import { expect, it } from 'vitest'
import { loadChecks } from '../../../src/checks/load-checks.ts'
import { runSuite } from '../../../src/run/run-suite.ts'
import { startGatewayInMemory } from './gateway-in-memory.ts'

/** Checks of behaviour that the in-memory gateway does not claim. */
const NOT_CLAIMED = [
  // Limits of streams, and periodic keepalives: in memory, a test sends each keepalive with `ping()`.
  'errors/stream-limit-code',
  'limits/four-streams-of-a-subject',
  'limits/four-streams-of-a-subject-at-once',
  'limits/sixteen-streams-of-an-application',
  'streams/app-limit',
  'streams/ping-every-15-seconds',
  'streams/slow-reader-is-cut-off',
  'streams/subject-limit',
  'streams/subject-limit-race',
  // Expiry of stored events, lost workers and leases.
  'devices/lease-ends',
  'devices/lease-is-renewed',
  'devices/reconciliation-window',
  'retention/events-for-7-days',
  'runs/from-reconciling',
  'runs/lost-run-is-reconciling',
  // Routes and pages outside the API, and answers to other methods of a path.
  'errors/hostile-requests',
  'errors/method-not-allowed',
  'errors/problem-format',
  'errors/problem-type',
  'running/probes',
  'streams/no-head',
  'versioning/deprecation-is-told',
  // It reads JSON with `JSON.parse`.
  'requests/inexact-integers',
  'requests/many-values',
  'requests/numbers-beyond-range',
  // Its identifiers are numbered consecutively, so that tests can compare them.
  'general/approval-and-request-ids',
  'general/attachment-ids',
  'general/ids-are-url-safe',
  'general/ids-cannot-be-guessed',
  // The assistant of this test is not exactly the `script` of the reference gateway.
  'assistants/script-without-a-script-gives-data-as-json',
  'scripts/exactly-one-member',
  'scripts/succeed-with-foreign-attachments',
  // Its integrations act for a subject, not for one service.
  'webhooks/cancel-of-others-is-unknown',
  'webhooks/cancel-reaches-own-runs-only',
  'webhooks/message-by-id-of-others',
  'webhooks/reset-of-others',
  // These checks send events that lack a required field. In memory, the action of the test decides the result.
  'webhooks/business-key-type',
  'webhooks/cancel-wants-a-run',
  'webhooks/message-by-id-wants-both',
  'webhooks/reset-wants-current-generation',
  'webhooks/wrong-types-are-refused',
  // The scripts of these checks sleep or need time to stop. In memory, a run with such a step ends as `interrupted`.
  'cancel/another-end-stands',
  'cancel/confirmed-together',
  'cancel/second-cancel',
  'cancel/started-is-stopping',
  'cancel/stop-window',
  'conversations/generation-waits-for-the-operation',
  'conversations/resetting-refuses-messages',
  'errors/resetting-is-busy',
  'events/cancelled-is-last',
  'events/deltas-join-to-the-text-1',
  'events/deltas-join-to-the-text-2',
  'events/deltas-join-to-the-text-3',
  'events/deltas-join-to-the-text-4',
  'events/deltas-of-a-cancelled-run',
  'events/later-deltas-come-on-their-own',
  'events/updates-of-a-stop',
  'general/timestamps-follow-each-other',
  'idempotency/replay-while-resetting',
  'messages/busy-while-resetting',
  'operations/failed-is-no-success',
  'operations/failed-stays',
  'operations/incomplete-until-done',
  'operations/transitions',
  'requests/replay-before-busy',
  'reset/advances-when-all-has-stopped',
  'reset/busy-while-resetting',
  'reset/generation-until-success',
  'reset/messages-race-the-reset',
  'reset/rejects-work-that-is-stopping',
  'reset/stop-fails',
  'runs/cancel-races-the-end',
  'runs/cancelling-until-confirmed',
  'runs/from-cancelling',
  'runs/occupies-its-conversation',
  'runs/one-at-a-time',
  'runs/running-is-active',
  'runs/time-after-an-approval',
  'runs/time-is-over',
  'runs/time-is-over-for-the-deaf',
  'scripts/crash',
  'scripts/ignore-stop',
  'scripts/no-outcome',
  'scripts/no-stop-delay',
  'scripts/sleep',
  'scripts/stop-delay',
  'streams/closing-conversation-stream-cancels-nothing',
  'streams/closing-leaves-a-queued-run',
  'streams/closing-run-stream-cancels-nothing',
]

it('the in-memory gateway follows the rules that it claims', async () => {
  const claimed = (await loadChecks('server')).map(({ id }) => id).filter((id) => !NOT_CLAIMED.includes(id))
  const options = { target: 'server', profile: 'reference', checks: claimed } as const
  const { checks } = await runSuite({ ...options, config: await startGatewayInMemory() })
  const failed = checks.filter(({ status }) => status === 'failed')
  expect(failed.map(({ id, message }) => ({ id, message }))).toEqual([])
  // Untestable checks need something that the in-memory gateway lacks, for example callbacks, an operator or a device.
  const unexamined = checks.filter(({ status }) => status === 'untestable').map(({ message }) => message ?? '')
  expect(new Set(unexamined.filter((reason) => !reason.startsWith('the configuration has no ')))).toEqual(
    new Set([
      'the server sends no keepalives on a silent stream',
      'the gateway publishes no contract at /openapi.json',
      'the gateway publishes no base URL over HTTP',
      'the device always renewed its lease before the gateway saw that it had ended',
    ]),
  )
}, 600_000)
