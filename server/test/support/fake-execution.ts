import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { RunState } from '@conversation-gateway/openapi/behaviour/run-state'
import { isExecuting, isTerminal } from '@conversation-gateway/openapi/behaviour/run-state'
import type { ExecutionPort } from '../../src/devices/execution-port.ts'
import type { ApprovalState } from '../../src/store/approvals.ts'
import type { ClaimedRun } from '../../src/store/claims.ts'
import { DatabaseUnavailable } from '../../src/store/db.ts'
import type { ReplyPart } from '../../src/writer/run-rules.ts'

export interface FakeRun {
  readonly claimed: ClaimedRun
  state: RunState
  /** The parts of each write to the reply: texts, and activities as JSON. */
  readonly batches: string[][]
  readonly indexes: number[]
  readonly activities: ActivityUpdate[]
  readonly messages: string[]
  readonly approvals: { readonly approvalId: string; readonly summary: string; state: ApprovalState }[]
  outcome: RunOutcome | null
  /** The output bytes that the worker reported at the end of the run. */
  outputBytes: number
}

type Call = keyof ExecutionPort

/** A gateway in memory for a device worker, with the faults that a database can have. */
export interface FakeExecution extends ExecutionPort {
  readonly runs: ReadonlyMap<string, FakeRun>
  /** The number of calls by name, including failed ones. */
  readonly calls: ReadonlyMap<Call, number>
  readonly devices: Set<string>
  /** While true, every call except `checkOutput` fails with DatabaseUnavailable and has no effect. */
  away: boolean
  /** Makes the next call of this name take effect but lose its answer. */
  loseAnswer(call: Call): void
  /** Makes each call of this name fail with the error that `fault` returns, unless that is null. */
  failWith(call: Call, fault: () => Error | null): void
  /** Runs that the worker has released. */
  readonly released: ReadonlySet<string>
  /** Admits a run and returns its record, which changes with each call of the worker. */
  admit(run: Partial<ClaimedRun>): FakeRun
}

export const createFakeExecution = (): FakeExecution => {
  const runs = new Map<string, FakeRun>()
  const calls = new Map<Call, number>()
  const devices = new Set(['dev_1'])
  const losing = new Set<Call>()
  const faults = new Map<Call, () => Error | null>()
  const released = new Set<string>()
  let approvals = 0

  const answer = async <T>(call: Call, effect: () => T): Promise<T> => {
    calls.set(call, (calls.get(call) ?? 0) + 1)
    await new Promise(setImmediate)
    const fault = faults.get(call)?.() ?? null
    if (fault !== null) throw fault
    if (fake.away) throw new DatabaseUnavailable('away')
    const result = effect()
    if (losing.delete(call)) throw new DatabaseUnavailable('the answer was lost')
    return result
  }
  const executing = (runId: string): FakeRun | null => {
    const run = runs.get(runId)
    return run !== undefined && isExecuting(run.state) ? run : null
  }
  const append = (run: FakeRun, parts: readonly ReplyPart[]): void => {
    run.batches.push(parts.map((part) => ('text' in part ? part.text : JSON.stringify(part.activity))))
    for (const part of parts)
      if ('text' in part) run.indexes.push(part.index)
      else run.activities.push(part.activity)
  }
  const queuedOf = (deviceId: string) =>
    [...runs.values()].filter(({ claimed, state }) => claimed.deviceId === deviceId && state === 'queued')

  const fake: FakeExecution = {
    runs,
    calls,
    released,
    devices,
    away: false,
    loseAnswer: (call) => void losing.add(call),
    failWith: (call, fault) => void faults.set(call, fault),
    admit: (given) => {
      const runId = `run_${runs.size + 1}`
      const run: FakeRun = {
        claimed: {
          appId: 'app_1',
          subject: 'subject',
          conversationId: `conv_${runs.size + 1}`,
          runId,
          messageId: `msg_${runs.size + 1}`,
          endpointId: 'ep_1',
          deviceId: 'dev_1',
          generation: 1,
          bindingVersion: 1,
          position: 1,
          lastSeq: 1,
          runUntil: new Date('2030-01-01T00:00:00.000Z'),
          assistant: { type: 'echo' },
          text: null,
          data: null,
          resourceIds: null,
          traceparent: null,
          ...given,
        },
        state: 'queued',
        batches: [],
        indexes: [],
        activities: [],
        messages: [],
        approvals: [],
        outcome: null,
        outputBytes: 0,
      }
      runs.set(runId, run)
      return run
    },
    beat: () =>
      answer('beat', () => [...devices].map((deviceId) => ({ deviceId, hasReadyRuns: queuedOf(deviceId).length > 0 }))),
    claimWork: (deviceId, limit) =>
      answer('claimWork', () =>
        queuedOf(deviceId)
          .slice(0, limit)
          .map((run) => {
            run.state = 'running'
            return run.claimed
          }),
      ),
    releaseRuns: (dropped) =>
      answer('releaseRuns', () => {
        for (const { runId } of dropped) released.add(runId)
      }),
    lookAtRuns: (runIds) =>
      answer('lookAtRuns', () =>
        [...runs.values()].flatMap(({ claimed, state }) => {
          const { appId, conversationId, runId } = claimed
          if (!isExecuting(state) || released.has(runId) || runIds?.includes(runId) === false) return []
          return [{ appId, conversationId, runId, state, stopWanted: state === 'cancelling', needsResume: false }]
        }),
      ),
    appendToReply: ({ runId }, parts) =>
      answer('appendToReply', () => {
        const run = executing(runId)
        if (run !== null) append(run, parts)
        return run !== null
      }),
    appendMessage: ({ runId }, text) =>
      answer('appendMessage', () => {
        const run = executing(runId)
        run?.messages.push(text)
        return run !== null
      }),
    requestApproval: ({ runId }, summary) =>
      answer('requestApproval', () => {
        const run = executing(runId)
        if (run?.state !== 'running') return null
        approvals += 1
        const approvalId = `apr_${approvals}`
        run.approvals.push({ approvalId, summary, state: 'pending' })
        run.state = 'waiting_approval'
        return approvalId
      }),
    findApprovals: (wanted) =>
      answer('findApprovals', () =>
        wanted.flatMap(({ appId, approvalId }) =>
          [...runs.values()]
            .flatMap((run) => run.approvals)
            .filter((approval) => approval.approvalId === approvalId)
            .map(({ state }) => ({ appId, approvalId, state })),
        ),
      ),
    readWrittenOutput: ({ runId }) =>
      answer('readWrittenOutput', () => {
        const run = runs.get(runId)
        return {
          deltas: run?.indexes.length ?? 0,
          activities: run?.activities.length ?? 0,
          messages: run?.messages.length ?? 0,
          approvals: run?.approvals.length ?? 0,
          approvalId: run?.approvals.at(-1)?.approvalId ?? null,
        }
      }),
    checkOutput: async (_run, outcome) => outcome,
    readContext: () => answer('readContext', () => []),
    findAttachment: () => answer('findAttachment', () => null),
    readAttachment: () => answer('readAttachment', () => new Uint8Array()),
    createAttachment: () => answer('createAttachment', () => undefined),
    reportOutcome: ({ runId }, outcome, parts = [], outputBytes = 0) =>
      answer('reportOutcome', () => {
        const run = executing(runId)
        if (run === null) return false
        if (!isTerminal(outcome.state)) throw new Error('the outcome is not terminal')
        if (parts.length > 0) append(run, parts)
        run.state = outcome.state
        run.outcome = outcome
        run.outputBytes = outputBytes
        return true
      }),
  }
  return fake
}
