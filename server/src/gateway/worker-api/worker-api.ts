import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Found, FoundJson, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, foundJson, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type {
  Claim,
  Claimed,
  Context,
  EndedRun,
  EndRun,
  Heartbeat,
  News,
  OpenSession,
  SendSteps,
  Session,
  StepsTaken,
  WorkerEnd,
} from '@conversation-gateway/openapi/generated/worker-closed'
import { LRUCache } from 'lru-cache'
import { outcomeOf } from '../../domain/end-outcome.ts'
import { batchLookups } from '../../runtime/batch-lookups.ts'
import type { Timers } from '../../runtime/timers.ts'
import { findApprovals } from '../../store/approvals.ts'
import type { ClaimedRun } from '../../store/claims.ts'
import { beatDevices } from '../../store/maintenance/device-heartbeats.ts'
import type { SessionRun } from '../../store/worker-sessions.ts'
import * as store from '../../store/worker-sessions.ts'
import type { DeviceIdentity } from '../access/device-gate.ts'
import type { GatewayContext } from '../context.ts'
import { claimWork, lookAtRuns, reportOutcome } from '../execution.ts'
import { readRunContext } from '../run-context.ts'
import type { WakeupBus } from '../wakeups/wakeup-bus.ts'
import { createClaimQueue, type WaitingClaim } from './claim-queue.ts'
import { createRunHints } from './run-hints.ts'
import type { FindRun } from './run-resources.ts'
import { createRunResources } from './run-resources.ts'
import { claimedJson, contextJson, replyOf } from './worker-records.ts'
import { type EndOutcome, type StepsOutcome, writeEnd, writeSteps } from './write-steps.ts'

export interface WorkerApiOptions {
  readonly context: GatewayContext
  readonly timers: Timers
  readonly wakeups: Pick<WakeupBus, 'onDevice' | 'onRun'>
  /** How long a session lasts after a heartbeat, in milliseconds. */
  readonly leaseMs: number
  /** Maximum UTF-8 bytes of a run's text and data. */
  readonly outputBytes: number
  /** Called for each run that a worker takes. */
  readonly began: (run: ClaimedRun) => void
}

/** Maximum sessions of a device. */
const SESSIONS = 1000
/** Maximum runs taken by one claim. The next claim takes the following ones. */
const CLAIM_BATCH = 64
/** Runs looked up by one statement. */
const RUNS_LOOKED_UP = 256
/**
 * Maximum sessions renewed by one statement, and how long it waits for more. A thousand idle workers send 200
 * heartbeats a second.
 */
const [BEATS_TOGETHER, BEATS_COLLECTED_MS] = [256, 25]
/** At least this many heartbeats fit into a lease, and into the time after which the device would be offline. */
const BEATS_IN_LEASE = 3
/** A device's heartbeat is stored at most this many times in the time after which the device would be offline. */
const ANNOUNCEMENTS = 6
/** Minimum interval between calls of `announce` for one device, which may have a thousand sessions. */
const ANNOUNCED_MS = 500
/** Maximum number of devices whose last `announce` is remembered. */
const ANNOUNCED_DEVICES = 10_000

export type WorkerApi = ReturnType<typeof createWorkerApi>

/** The use cases of remote workers (D-67). Each sees only the runs of its device. */
export const createWorkerApi = ({ context, timers, wakeups, leaseMs, outputBytes, began }: WorkerApiOptions) => {
  const { db, clock, settings } = context
  const hints = createRunHints(wakeups, timers)
  const queue = createClaimQueue({ take: (claim, isFresh) => take(claim, isFresh), began, timers, wakeups })
  const findSessionRun = batchLookups(
    (named: readonly store.SessionRunRef[]) => store.findSessionRuns(db, named, clock.now()),
    RUNS_LOOKED_UP,
  )
  const renew = batchLookups(
    (named: readonly Pick<store.SessionRef, 'deviceId' | 'sessionId'>[]) => {
      const now = clock.now()
      return store.beatSessions(db, named, { now, expiresAt: leaseEnd(now) })
    },
    BEATS_TOGETHER,
    () => new Promise((resolve) => timers.after(BEATS_COLLECTED_MS, resolve)),
  )
  const sessionOf = ({ deviceId }: DeviceIdentity, sessionId: string) => ({ deviceId, sessionId, now: clock.now() })
  const leaseEnd = (now: Date): Date => new Date(now.getTime() + leaseMs)

  const announcedAtMs = new LRUCache<string, number>({ max: ANNOUNCED_DEVICES })

  /** Stores the device's heartbeat if the stored one is old, and lets waiting claims look for its queued runs. */
  const announce = async (deviceId: string): Promise<void> => {
    const now = clock.now()
    announcedAtMs.set(deviceId, now.getTime())
    const staleBefore = new Date(now.getTime() - settings.deviceOfflineMs / ANNOUNCEMENTS)
    const served = await beatDevices(db, { deviceIds: [deviceId], now, staleBefore })
    if (served.some(({ hasReadyRuns }) => hasReadyRuns)) queue.look(deviceId)
  }

  const freeOf = ({ slots, executing }: store.SessionSlots, limit: number): number =>
    Math.min(limit, slots - executing, CLAIM_BATCH)

  const take = async (claim: WaitingClaim, isFresh: boolean): Promise<readonly ClaimedRun[] | null> => {
    const { deviceId, sessionId } = claim
    const free = isFresh ? claim.free : await findFree(claim)
    return free <= 0 ? null : claimWork(context, { deviceId, workerId: sessionId, limit: free })
  }

  const findFree = async ({ deviceId, sessionId, limit }: WaitingClaim): Promise<number> => {
    const session = await store.findSession(db, { deviceId, sessionId, now: clock.now() })
    return session === null ? 0 : freeOf(session, limit)
  }

  const openSession = async (
    { deviceId, keyId }: DeviceIdentity,
    { name, version, slots }: OpenSession,
  ): Promise<Admitted<Session> | Refusal> => {
    const now = clock.now()
    const sessionId = newId('ws', now)
    const asked = {
      sessionId,
      deviceId,
      keyId,
      name,
      version: version ?? null,
      slots,
      now,
      expiresAt: leaseEnd(now),
      limit: SESSIONS,
    }
    const outcome = await store.openSession(db, asked)
    if (outcome === 'revoked') return REVOKED
    if (outcome === 'limited') return refuse('SESSION_LIMIT', `A device may have ${SESSIONS} sessions.`)
    await announce(deviceId)
    const services = await store.listServices(db, deviceId)
    return {
      kind: 'admitted',
      status: 201,
      replayed: false,
      body: {
        session_id: sessionId,
        device_id: deviceId,
        lease_ms: leaseMs,
        services: services.map(({ appId, endpointId }) => ({ app_id: appId, endpoint_id: endpointId })),
      },
    }
  }

  const closeSession = async (device: DeviceIdentity, sessionId: string): Promise<Found<undefined> | Refusal> =>
    (await store.closeSession(db, sessionOf(device, sessionId))) ? found(undefined) : NO_SESSION

  const claimRuns = async (
    device: DeviceIdentity,
    sessionId: string,
    { limit, wait_ms: waitMs = 0, runs: delivered }: Claim,
    gone: AbortSignal,
  ): Promise<FoundJson<Claimed> | Refusal> => {
    const { deviceId } = device
    const read = () => store.findSessionWithRuns(db, sessionOf(device, sessionId), delivered)
    const before = await read()
    if (before === null) return NO_SESSION
    if (limit > before.slots) {
      const fault = { pointer: '/limit', message: `must be at most ${before.slots}, the slots of the session` }
      return refuse('INVALID_REQUEST', `limit ${fault.message}.`, { faults: [fault] })
    }
    // Runs being taken for an older claim use slots of the session, and this claim must return them.
    const session = (await queue.end(sessionId)) ? await read() : before
    if (session === null) return NO_SESSION
    if (session.undelivered.length > 0) return foundJson(claimedJson(session.undelivered))
    if (limit > 0) {
      const taken = await queue.wait({ deviceId, sessionId, limit, free: freeOf(session, limit), waitMs, gone })
      if (taken !== null) return foundJson(claimedJson(taken))
    }
    const after = await read()
    return after === null ? NO_SESSION : foundJson(claimedJson(after.undelivered))
  }

  const beat = async (
    device: DeviceIdentity,
    sessionId: string,
    { runs, wait_ms: waitMs = 0 }: Heartbeat,
    gone: AbortSignal,
  ): Promise<Found<News> | Refusal> => {
    const deviceState = await renew({ deviceId: device.deviceId, sessionId })
    if (deviceState === null) return NO_SESSION
    const announcedMs = clock.now().getTime() - (announcedAtMs.get(device.deviceId) ?? 0)
    if (Math.abs(announcedMs) >= ANNOUNCED_MS) await announce(device.deviceId)
    const runIds = runs.map(({ run_id }) => run_id)
    const watch = hints.watch(
      runIds,
      Math.min(waitMs, leaseMs / BEATS_IN_LEASE, settings.deviceOfflineMs / BEATS_IN_LEASE),
      gone,
    )
    const drain = deviceState === 'disabled'
    try {
      let news = await readNews(sessionId, runs)
      while (!hasNews(news) && (await watch.next())) news = await readNews(sessionId, runs)
      return found({ ...news, drain })
    } finally {
      watch.end()
    }
  }

  const readNews = async (sessionId: string, runs: Heartbeat['runs']): Promise<Omit<News, 'drain'>> => {
    if (runs.length === 0) return { stop: [], lost: [], decisions: [] }
    const held = await lookAtRuns(
      context,
      sessionId,
      runs.map(({ run_id }) => run_id),
    )
    const byId = new Map(held.map((run) => [run.runId, run]))
    const waiting = runs.flatMap(({ run_id: runId, approval_id: approvalId }) => {
      const run = byId.get(runId)
      return run === undefined || approvalId === undefined ? [] : [{ appId: run.appId, runId, approvalId }]
    })
    const approvals = waiting.length === 0 ? [] : await findApprovals(db, waiting)
    return {
      stop: runs.flatMap(({ run_id: runId, stopping }) =>
        byId.get(runId)?.stopWanted === true && stopping !== true ? [{ run_id: runId, reason: 'requested' }] : [],
      ),
      lost: runs.flatMap(({ run_id: runId }) => (byId.has(runId) ? [] : [runId])),
      decisions: waiting.flatMap(({ runId, approvalId }) => {
        const state = approvals.find((each) => each.approvalId === approvalId)?.state
        return state === 'approved' || state === 'denied'
          ? [{ run_id: runId, approval_id: approvalId, decision: state }]
          : []
      }),
    }
  }

  /** The run, or why the caller cannot use it: RUN_LOST, 400 without a session ID, 404 for a run of another device. */
  const findRun: FindRun = async (device, sessionId, runId) => {
    if (device.run !== null) return device.run.runId === runId ? device.run : NO_RUN
    if (sessionId === undefined) return NO_SESSION_ID
    const run = await findSessionRun({ sessionId, deviceId: device.deviceId, runId })
    if (run !== null) return run
    const stored = await store.findRunOfDevice(db, device.deviceId, runId)
    return stored === null ? NO_RUN : refuseLost(stored.state)
  }

  const refuseUnwritten = async (
    device: DeviceIdentity,
    run: SessionRun,
    outcome: Exclude<StepsOutcome | EndOutcome, { kind: 'written' | 'ended' }>,
    sent: number,
  ): Promise<Refusal> => {
    if (outcome.kind === 'gap')
      return refuse('STEPS_OUT_OF_ORDER', `index is ${sent}; the gateway has ${outcome.index} steps of the run.`)
    if (outcome.kind === 'broken') await reportOutcome(context, run, { state: 'failed', error: outcome.error })
    const stored = await store.findRunOfDevice(db, device.deviceId, run.runId)
    return refuseLost(stored?.state ?? 'interrupted')
  }

  const sendSteps = async (
    device: DeviceIdentity,
    runId: string,
    { session_id: sessionId, index, steps }: SendSteps,
  ): Promise<Found<StepsTaken> | Refusal> => {
    const fault = findMisplacedApproval(steps.slice(0, -1))
    if (fault !== null) return fault
    const run = await findRun(device, sessionId, runId)
    if ('kind' in run) return run
    const outcome = await writeSteps(context, targetOf(run), { index, steps }, outputBytes)
    if (outcome.kind !== 'written') return refuseUnwritten(device, run, outcome, index)
    const isApproval = steps.at(-1)?.approval !== undefined
    const approvalId =
      outcome.isRepeat && isApproval && outcome.index === index + steps.length
        ? await store.findLatestApproval(db, run)
        : outcome.approvalId
    const stop = run.stopWanted || (isApproval && approvalId === null)
    return found({ index: outcome.index, stop, approval_id: approvalId })
  }

  const endRun = async (
    device: DeviceIdentity,
    runId: string,
    { session_id: sessionId, index, steps = [], end }: EndRun,
  ): Promise<Found<EndedRun> | Refusal> => {
    const fault = findMisplacedApproval(steps)
    if (fault !== null) return fault
    const answerAgain = async (): Promise<Found<EndedRun> | null> => {
      const stored = await store.findRunOfDevice(db, device.deviceId, runId)
      const isSame = stored?.leaseOwner === sessionId && isEnd(end, stored)
      return isSame ? found({ state: stored.state }) : null
    }
    const run = await findRun(device, sessionId, runId)
    if ('kind' in run) return (await answerAgain()) ?? run
    const outcome = end.state === 'succeeded' || end.state === 'failed' ? outcomeOf(end) : end
    const checks = await context.schemas.load(db, { ...run, version: run.bindingVersion })
    const written = await writeEnd(context, targetOf(run), { index, steps, outcome, checks }, outputBytes)
    if (written.kind === 'ended') return found({ state: written.state })
    return (written.kind === 'lost' ? await answerAgain() : null) ?? refuseUnwritten(device, run, written, index)
  }

  const readContext = async (
    device: DeviceIdentity,
    runId: string,
    sessionId: string | undefined,
  ): Promise<FoundJson<Context> | Refusal> => {
    const run = await findRun(device, sessionId, runId)
    if ('kind' in run) return run
    return foundJson(contextJson(await readRunContext(context, run)))
  }

  return {
    openSession,
    closeSession,
    claimRuns,
    beat,
    sendSteps,
    endRun,
    readContext,
    ...createRunResources(context, findRun),
    /** The slots of workers whose claims wait in this process, for runs that start with their admission. */
    slots: { workerIds: queue.workerIds, reserve: queue.reserve },
    /** Answers waiting requests, so that the process can end. */
    close: () => {
      queue.close()
      hints.close()
    },
  }
}

const REVOKED = refuse('UNAUTHENTICATED', 'The key is not valid.')
const NO_SESSION = refuse('NOT_FOUND', 'There is no such session of this device; open another one.')
const NO_SESSION_ID = refuse('INVALID_REQUEST', 'session_id is required with a device key.', {
  faults: [{ pointer: '/session_id', message: 'is required with a device key' }],
})
const NO_RUN = refuse('NOT_FOUND', 'There is no such run of this device.')

const refuseLost = (state: string): Refusal =>
  refuse('RUN_LOST', `The run is ${state}, and this session cannot change it.`)

const findMisplacedApproval = (steps: SendSteps['steps']): Refusal | null => {
  const at = steps.findIndex(({ approval }) => approval !== undefined)
  if (at === -1) return null
  const fault = { pointer: `/steps/${at}/approval`, message: 'must be the last step of its request' }
  return refuse('INVALID_REQUEST', `approval ${fault.message}.`, { faults: [fault] })
}

const hasNews = ({ stop, lost, decisions }: Omit<News, 'drain'>): boolean =>
  stop.length + lost.length + decisions.length > 0

const targetOf = ({ appId, conversationId, runId }: SessionRun) => ({
  appId,
  conversationId,
  runId,
  messageId: replyOf(runId),
})

/** Whether a run has ended with this outcome. A stop that was not requested is recorded as interrupted. */
const isEnd = (end: WorkerEnd, { state, errorCode }: store.RunOfDevice): boolean => {
  if (end.state === 'failed') return state === 'failed' && errorCode === end.error.code
  return state === end.state || (end.state === 'cancelled' && state === 'interrupted')
}
