import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createChanges } from '../client/changes.ts'
import type { JsonObject } from '../client/commands.ts'
import { isObject } from '../client/commands.ts'
import { recordRequest, type WireRequest } from '../client/wire-request.ts'
import type { Transcript } from '../transcript.ts'

export type WorkerRoute = 'sessions' | 'close' | 'claims' | 'heartbeats' | 'steps' | 'end' | 'context'

/** A request of the worker, as the simulated gateway received it. */
export interface WorkerCall {
  readonly route: WorkerRoute
  /** The run of `steps`, `end` and `context`. */
  readonly runId: string | null
  /** The session of `claims`, `heartbeats` and `close`. */
  readonly sessionId: string | null
  readonly body: JsonObject
  readonly request: WireRequest
}

/**
 * How a request is answered: with JSON, with this text, not at all (`hang`), or by resetting the connection (`cut`).
 */
export type WorkerReply =
  | { readonly status: number; readonly json: object }
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string }
  | 'hang'
  | 'cut'

/**
 * Decides how a request is answered. With null the gateway processes and answers it. With `cut` it processes it first,
 * unless it is a heartbeat.
 */
export type WorkerAnswering = (call: WorkerCall, earlier: number) => WorkerReply | null

export type ScriptOfRun = readonly JsonObject[]

/** A run that the worker can claim. */
export interface OfferedRun {
  readonly runId: string
  /** Steps that the gateway has received, in order. */
  readonly steps: readonly JsonObject[]
  /** The joined text of its deltas. */
  readonly text: string
  /** The accepted `end`; null before that. */
  readonly end: JsonObject | null
  /** The pending approval; null if there is none. */
  readonly approvalId: string | null
}

/** What a heartbeat tells the worker about a run: to stop it, or the decision on its pending approval. */
export type RunSignal = 'stop' | 'approved' | 'denied'

/** A simulated gateway for a worker: it follows the protocol unless the check says otherwise. */
export interface SimulatedWorkerGateway {
  readonly origin: string
  readonly leaseMs: number
  /** Every complete request, in order of arrival. */
  readonly calls: readonly WorkerCall[]
  to(route: WorkerRoute): readonly WorkerCall[]
  /** Requests to routes outside the protocol. */
  unknownRequests(): readonly WireRequest[]
  /** Waits long enough to observe that the worker sends no request. */
  quiet(): Promise<void>
  /** Waits, so that a check can observe that something does not happen. */
  sleep(ms: number): Promise<void>
  /** Called with each run when a claim returns it. */
  onClaimed(listener: (claimed: object) => void): void
  /** The requests about a run. */
  callsAbout(runId: string): readonly WorkerCall[]
  /** Queues a run with this script for the next claim. */
  offer(script: ScriptOfRun): OfferedRun
  /** Answers all further requests to a route this way. */
  on(route: WorkerRoute, answering: WorkerAnswering): void
  /** Sets the signal that the next heartbeat that lists the run returns. */
  signal(runId: string, signal: RunSignal): void
  /** Makes the worker lose a run: heartbeats report it as lost, and its steps and end get 409 RUN_LOST. */
  lose(runId: string): void
  /** Ends a session: its requests get 404, and steps and ends that name it get 409 RUN_LOST. */
  endSession(sessionId: string): void
  /** Resolves with the value that `find` returns, immediately or after a later change. */
  until<Value>(what: string, find: () => Value | undefined): Promise<Value>
  /** Resolves when the first step of the run has arrived. */
  untilStep(run: OfferedRun): Promise<JsonObject>
  /** Resolves with the end of the run. */
  untilEnd(run: OfferedRun): Promise<JsonObject>
  /** Closes its connections and rejects pending waits. */
  close(): Promise<void>
}

export interface SimulatedWorkerGatewayOptions {
  readonly transcript: Transcript
  readonly service: string
  readonly leaseMs: number
  readonly stepMs: number
}

interface HeldRun {
  readonly runId: string
  readonly script: ScriptOfRun
  /** The session that claimed it; null before that. */
  sessionId: string | null
  isLost: boolean
  signal: RunSignal | null
  readonly steps: JsonObject[]
  end: JsonObject | null
  approvalId: string | null
}

const QUIET_MS = 700
/** Maximum time that claims and heartbeats are held open; short, to keep checks fast. */
const LONGEST_WAIT_MS = 1000

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const id = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`
const ok = (json: object, status = 200): WorkerReply => ({ status, json })
const refusal = (status: number, code: string, detail: string): WorkerReply => ({
  status,
  json: { type: 'about:blank', title: code, status, code, detail, request_id: id('req') },
})

/** Starts a gateway for workers on loopback and a free port. */
export const startSimulatedWorkerGateway = async ({
  transcript,
  service,
  leaseMs,
  stepMs,
}: SimulatedWorkerGatewayOptions): Promise<SimulatedWorkerGateway> => {
  const calls: WorkerCall[] = []
  const unknownRequests: WireRequest[] = []
  const endedSessions = new Set<string>()
  const runs = new Map<string, HeldRun>()
  const answerings = new Map<WorkerRoute, { readonly answering: WorkerAnswering; used: number }>()
  const sockets = new Set<Socket>()
  const changes = createChanges()
  let onClaimed = (_claimed: object): void => {}

  const wait = async (find: () => boolean, ms: number): Promise<void> => {
    await changes
      .until(
        () => find() || undefined,
        ms,
        () => '',
      )
      .catch(() => {})
  }

  const claim = async (call: WorkerCall): Promise<WorkerReply> => {
    const { body, sessionId, request } = call
    const limit = Number(body.limit)
    const listed = Array.isArray(body.runs) ? body.runs : []
    // A newer claim of the session ends this pending claim.
    const isOver = (): boolean =>
      request.isClosed() ||
      endedSessions.has(sessionId ?? '') ||
      calls.findLast((each) => each.route === 'claims' && each.sessionId === sessionId) !== call
    const claimable = (): HeldRun[] => {
      if (isOver()) return []
      const all = [...runs.values()].filter((run) => run.end === null && !run.isLost)
      const unconfirmed = all.filter((run) => run.sessionId === sessionId && !listed.includes(run.runId))
      const fresh = all.filter((run) => run.sessionId === null)
      return [...unconfirmed, ...fresh.slice(0, Math.max(0, limit))]
    }
    if (limit > 0)
      await wait(() => isOver() || claimable().length > 0, Math.min(Number(body.wait_ms ?? 0), LONGEST_WAIT_MS))
    const claimed = claimable()
    for (const run of claimed) run.sessionId = sessionId
    const records = claimed.map(recordOf)
    for (const record of records) onClaimed(record)
    return ok({ runs: records })
  }

  const recordOf = ({ runId, script }: HeldRun): object => ({
    run_id: runId,
    app_id: 'app_conformance',
    subject: 'customer-4711',
    conversation_id: id('conv'),
    message_id: id('msg'),
    generation: 1,
    endpoint_id: service,
    binding_version: 1,
    assistant: { type: 'worker' },
    input: { text: 'Hello', data: { script }, resource_ids: [] },
    reply_message_id: id('msg'),
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
    traceparent: null,
  })

  const heartbeat = async ({ body, request }: WorkerCall): Promise<WorkerReply> => {
    const listed = (Array.isArray(body.runs) ? body.runs : []).filter(isObject)
    // The worker lists the signals that it already knows, so the answer does not repeat them.
    const changed = (): HeldRun[] =>
      listed.flatMap(({ run_id, stopping, approval_id }) => {
        const run = runs.get(String(run_id))
        if (run === undefined) return []
        const isNew = run.signal === 'stop' ? stopping !== true : run.signal !== null && approval_id === run.approvalId
        return run.isLost || isNew ? [run] : []
      })
    await wait(() => changed().length > 0, Math.min(Number(body.wait_ms ?? leaseMs / 3), LONGEST_WAIT_MS))
    // If the worker has closed the connection, it cannot read the answer, so the answer reports nothing.
    const runsToReport = request.isClosed() ? [] : changed()
    const answer = {
      stop: runsToReport.flatMap(({ runId, signal }) =>
        signal === 'stop' ? [{ run_id: runId, reason: 'requested' }] : [],
      ),
      lost: runsToReport.flatMap(({ runId, isLost }) => (isLost ? [runId] : [])),
      decisions: runsToReport.flatMap(({ runId, signal, approvalId }) =>
        signal === 'approved' || signal === 'denied'
          ? [{ run_id: runId, approval_id: approvalId, decision: signal }]
          : [],
      ),
      drain: false,
    }
    return ok(answer)
  }

  const addSteps = (run: HeldRun, body: JsonObject): WorkerReply | null => {
    const index = Number(body.index)
    if (index > run.steps.length)
      return refusal(409, 'STEPS_OUT_OF_ORDER', `index is ${index}; the gateway has ${run.steps.length} steps.`)
    const sent = (Array.isArray(body.steps) ? body.steps : []).filter(isObject)
    for (const step of sent.slice(run.steps.length - index)) {
      run.steps.push(step)
      if ('approval' in step) run.approvalId = id('apr')
    }
    return null
  }

  const handle = async (call: WorkerCall): Promise<WorkerReply> => {
    const { route, runId, sessionId, body } = call
    if (route === 'sessions')
      return ok(
        {
          session_id: id('ws'),
          device_id: 'dev_conformance',
          lease_ms: leaseMs,
          services: [{ app_id: 'app_conformance', endpoint_id: service }],
        },
        201,
      )
    if (endedSessions.has(sessionId ?? '')) return refusal(404, 'NOT_FOUND', 'There is no such session.')
    if (route === 'close') {
      endedSessions.add(sessionId ?? '')
      return { status: 204, headers: {}, text: '' }
    }
    if (route === 'claims') return claim(call)
    if (route === 'heartbeats') return heartbeat(call)
    const run = runs.get(runId ?? '')
    if (run === undefined) return refusal(404, 'NOT_FOUND', 'There is no such run.')
    if (route === 'context') return ok({ messages: [] })
    if (run.isLost || endedSessions.has(String(body.session_id)) || (run.end !== null && route === 'steps'))
      return refusal(409, 'RUN_LOST', 'The run no longer belongs to this session.')
    const refused = run.end === null ? addSteps(run, body) : null
    if (refused !== null) return refused
    if (route === 'steps') return ok({ index: run.steps.length, stop: false, approval_id: run.approvalId })
    run.end ??= isObject(body.end) ? body.end : {}
    return ok({ state: run.end.state })
  }

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = incoming
    const content = await buffer(incoming)
    const request = recordRequest(incoming, content, () => !sockets.has(socket))
    transcript.add('in', request.text)
    const call = callOf(request)
    let reply: WorkerReply = refusal(404, 'NOT_FOUND', 'There is no such path.')
    if (call === null) unknownRequests.push(request)
    else {
      calls.push(call)
      changes.notify()
      const scripted = answerings.get(call.route)
      const own = scripted === undefined ? null : scripted.answering(call, scripted.used)
      if (scripted !== undefined) scripted.used += 1
      // The check's answer replaces the gateway's. The gateway processes the request only for a `cut`, and never for
      // heartbeats.
      const isHandled = own === null || (own === 'cut' && call.route !== 'heartbeats')
      const usual = isHandled ? await handle(call) : null
      reply = own ?? usual ?? reply
      changes.notify()
    }
    if (reply === 'hang') return
    if (reply === 'cut') return void socket.resetAndDestroy()
    const [headers, text] =
      'json' in reply ? [{ 'content-type': typeOf(reply) }, JSON.stringify(reply.json)] : [reply.headers, reply.text]
    transcript.add('out', `${reply.status} ${text}`)
    response.writeHead(reply.status, headers).end(text)
  }

  const server = createServer({ requestTimeout: 0, headersTimeout: 0, noDelay: true }, (incoming, response) => {
    answer(incoming, response).catch(() => incoming.socket.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  const until: SimulatedWorkerGateway['until'] = (what, find) =>
    changes.until(find, stepMs, () => `${what}; received ${describeCalls(calls)}`)

  return {
    origin: `http://127.0.0.1:${port}`,
    leaseMs,
    calls,
    to: (route) => calls.filter((call) => call.route === route),
    unknownRequests: () => unknownRequests,
    quiet: () => sleep(QUIET_MS),
    sleep,
    onClaimed: (listener) => {
      onClaimed = listener
    },
    callsAbout: (runId) => calls.filter((call) => call.runId === runId),
    offer: (script) => {
      const run: HeldRun = {
        runId: id('run'),
        script,
        sessionId: null,
        isLost: false,
        signal: null,
        steps: [],
        end: null,
        approvalId: null,
      }
      runs.set(run.runId, run)
      changes.notify()
      return {
        runId: run.runId,
        steps: run.steps,
        get text() {
          return run.steps.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('')
        },
        get end() {
          return run.end
        },
        get approvalId() {
          return run.approvalId
        },
      }
    },
    on: (route, answering) => void answerings.set(route, { answering, used: 0 }),
    signal: (runId, signal) => {
      const run = runs.get(runId)
      if (run !== undefined) run.signal = signal
      changes.notify()
    },
    lose: (runId) => {
      const run = runs.get(runId)
      if (run !== undefined) run.isLost = true
      changes.notify()
    },
    endSession: (sessionId) => {
      endedSessions.add(sessionId)
      changes.notify()
    },
    until,
    untilStep: (run) => until('the first step arrives', () => run.steps[0]),
    untilEnd: (run) => until('the run ends', () => run.end ?? undefined),
    close: async () => {
      changes.fail(new Error('the check is over'))
      const isClosed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await isClosed
    },
  }
}

const ROUTES: readonly (readonly [method: string, path: RegExp, route: WorkerRoute])[] = [
  ['POST', /^\/worker\/v1\/sessions$/, 'sessions'],
  ['DELETE', /^\/worker\/v1\/sessions\/(?<session>[^/]+)$/, 'close'],
  ['POST', /^\/worker\/v1\/sessions\/(?<session>[^/]+)\/claims$/, 'claims'],
  ['POST', /^\/worker\/v1\/sessions\/(?<session>[^/]+)\/heartbeats$/, 'heartbeats'],
  ['POST', /^\/worker\/v1\/runs\/(?<run>[^/]+)\/steps$/, 'steps'],
  ['POST', /^\/worker\/v1\/runs\/(?<run>[^/]+)\/end$/, 'end'],
  ['GET', /^\/worker\/v1\/runs\/(?<run>[^/]+)\/context$/, 'context'],
]

const callOf = (request: WireRequest): WorkerCall | null => {
  for (const [method, path, route] of ROUTES) {
    const found = method === request.method ? path.exec(request.path) : null
    if (found === null) continue
    const body = request.body.byteLength === 0 ? {} : request.json()
    const { session = null, run = null } = found.groups ?? {}
    return { route, runId: run, sessionId: session, body, request }
  }
  return null
}

const typeOf = ({ status }: { readonly status: number }): string =>
  status < 400 ? 'application/json' : 'application/problem+json'

const MAX_DESCRIBED = 12

const describeCalls = (calls: readonly WorkerCall[]): string =>
  calls.length === 0
    ? 'no request'
    : `${calls.length} requests, most recently ${calls
        .slice(-MAX_DESCRIBED)
        .map(({ request: { method, path } }) => `${method} ${path}`)
        .join(', ')}`
