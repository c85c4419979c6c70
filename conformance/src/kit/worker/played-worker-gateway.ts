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

/** How a request is answered: with a status and JSON, with these bytes, not at all, or by closing the connection. */
export type WorkerReply =
  | { readonly status: number; readonly json: object }
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string }
  | 'hang'
  | 'cut'

/** Decides how a request is answered. With null the gateway processes and answers it; with `cut` it processes it first. */
export type WorkerAnswering = (call: WorkerCall, earlier: number) => WorkerReply | null

export type ScriptOfRun = readonly JsonObject[]

/** A run that the gateway offers to claims. */
export interface OfferedRun {
  readonly runId: string
  /** Steps that the gateway has received, in order. */
  readonly steps: readonly JsonObject[]
  /** The joined text of its deltas. */
  readonly text: string
  /** The `end` that the gateway accepted; null before that. */
  readonly end: JsonObject | null
  /** The pending approval; null if there is none. */
  readonly approvalId: string | null
}

/** `stop` tells the worker to stop the run. A decision applies to the run's pending approval. */
export type PlayedNews = 'stop' | 'approved' | 'denied'

/** A simulated gateway for a worker: it follows the protocol unless the check says otherwise. */
export interface PlayedWorkerGateway {
  readonly origin: string
  readonly leaseMs: number
  /** Every complete request, in order of arrival. */
  readonly calls: readonly WorkerCall[]
  to(route: WorkerRoute): readonly WorkerCall[]
  /** Requests to routes outside the protocol. */
  strangers(): readonly WireRequest[]
  /** Resolves after enough time for a worker that fails to wait to have sent a request. */
  quiet(): Promise<void>
  /** Waits, so that a check can see that something does not happen. */
  pass(ms: number): Promise<void>
  /** Called with each run when a claim returns it. */
  onGiven(listener: (claimed: object) => void): void
  /** The recorded state of a run. */
  about(runId: string): readonly WorkerCall[]
  /** Queues a run with this script for the next claim. */
  offer(script: ScriptOfRun): OfferedRun
  /** Answers all further requests to a route this way. */
  on(route: WorkerRoute, answering: WorkerAnswering): void
  /** Sets the signal that the next heartbeat that lists the run returns. */
  tell(runId: string, news: PlayedNews): void
  /** Takes a run from the worker: heartbeats report it as lost, and requests about it get 409 RUN_LOST. */
  lose(runId: string): void
  /** Ends a session: it is 404 from now on, and its runs are lost. */
  endSession(sessionId: string): void
  /** Resolves with the value that `find` returns, immediately or after a later change. */
  until<Value>(what: string, find: () => Value | undefined): Promise<Value>
  /** Closes its connections and rejects pending waits. */
  close(): Promise<void>
}

export interface PlayedWorkerGatewayOptions {
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
  news: PlayedNews | null
  readonly steps: JsonObject[]
  end: JsonObject | null
  approvalId: string | null
}

const QUIET_MS = 700
/** Maximum time that claims and heartbeats are held open; short, to keep checks fast. */
const LONGEST_WAIT_MS = 1000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const id = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`
const ok = (json: object, status = 200): WorkerReply => ({ status, json })
const refusal = (status: number, code: string, detail: string): WorkerReply => ({
  status,
  json: { type: 'about:blank', title: code, status, code, detail, request_id: id('req') },
})

/** Starts a gateway for workers on loopback and a free port. */
export const playWorkerGateway = async ({
  transcript,
  service,
  leaseMs,
  stepMs,
}: PlayedWorkerGatewayOptions): Promise<PlayedWorkerGateway> => {
  const calls: WorkerCall[] = []
  const strangers: WireRequest[] = []
  const endedSessions = new Set<string>()
  const runs = new Map<string, HeldRun>()
  const answerings = new Map<WorkerRoute, { readonly answering: WorkerAnswering; used: number }>()
  const sockets = new Set<Socket>()
  const changes = createChanges()
  let given = (_claimed: object): void => {}

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
    const waiting = (): HeldRun[] => {
      if (isOver()) return []
      const all = [...runs.values()].filter((run) => run.end === null && !run.isLost)
      const unheard = all.filter((run) => run.sessionId === sessionId && !listed.includes(run.runId))
      const fresh = all.filter((run) => run.sessionId === null)
      return [...unheard, ...fresh.slice(0, Math.max(0, limit))]
    }
    if (limit > 0)
      await wait(() => isOver() || waiting().length > 0, Math.min(Number(body.wait_ms ?? 0), LONGEST_WAIT_MS))
    const taken = waiting()
    for (const run of taken) run.sessionId = sessionId
    const records = taken.map(recordOf)
    for (const record of records) given(record)
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

  const beat = async ({ body, request }: WorkerCall): Promise<WorkerReply> => {
    const listed = (Array.isArray(body.runs) ? body.runs : []).filter(isObject)
    // Do not repeat what the worker already knows.
    const concerned = (): HeldRun[] =>
      listed.flatMap(({ run_id, stopping, approval_id }) => {
        const run = runs.get(String(run_id))
        if (run === undefined) return []
        const isNews = run.news === 'stop' ? stopping !== true : run.news !== null && approval_id === run.approvalId
        return run.isLost || isNews ? [run] : []
      })
    await wait(() => concerned().length > 0, Math.min(Number(body.wait_ms ?? leaseMs / 3), LONGEST_WAIT_MS))
    // No session is open to receive it.
    const told = request.isClosed() ? [] : concerned()
    const answer = {
      stop: told.flatMap(({ runId, news }) => (news === 'stop' ? [{ run_id: runId, reason: 'requested' }] : [])),
      lost: told.flatMap(({ runId, isLost }) => (isLost ? [runId] : [])),
      decisions: told.flatMap(({ runId, news, approvalId }) =>
        news === 'approved' || news === 'denied' ? [{ run_id: runId, approval_id: approvalId, decision: news }] : [],
      ),
      drain: false,
    }
    return ok(answer)
  }

  const take = (run: HeldRun, body: JsonObject): WorkerReply | null => {
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

  const perform = async (call: WorkerCall): Promise<WorkerReply> => {
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
    if (route === 'heartbeats') return beat(call)
    const run = runs.get(runId ?? '')
    if (run === undefined) return refusal(404, 'NOT_FOUND', 'There is no such run.')
    if (route === 'context') return ok({ messages: [] })
    if (run.isLost || endedSessions.has(String(body.session_id)) || (run.end !== null && route === 'steps'))
      return refusal(409, 'RUN_LOST', 'The run is not this session’s any more.')
    const refused = run.end === null ? take(run, body) : null
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
    if (call === null) strangers.push(request)
    else {
      calls.push(call)
      changes.notify()
      const said = answerings.get(call.route)
      const own = said === undefined ? null : said.answering(call, said.used)
      if (said !== undefined) said.used += 1
      // The check's answer replaces the gateway's. The gateway processes the request only for a `cut`, and never for heartbeats.
      const isPerformed = own === null || (own === 'cut' && call.route !== 'heartbeats')
      const usual = isPerformed ? await perform(call) : null
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

  return {
    origin: `http://127.0.0.1:${port}`,
    leaseMs,
    calls,
    to: (route) => calls.filter((call) => call.route === route),
    strangers: () => strangers,
    quiet: () => pause(QUIET_MS),
    pass: pause,
    onGiven: (listener) => {
      given = listener
    },
    about: (runId) => calls.filter((call) => call.runId === runId),
    offer: (script) => {
      const run: HeldRun = {
        ...{ runId: id('run'), script, sessionId: null, isLost: false, news: null },
        ...{ steps: [], end: null, approvalId: null },
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
    tell: (runId, news) => {
      const run = runs.get(runId)
      if (run !== undefined) run.news = news
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
    until: (what, find) => changes.until(find, stepMs, () => `${what}; there came ${describeCalls(calls)}`),
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
    : `${calls.length} requests, lastly ${calls
        .slice(-MAX_DESCRIBED)
        .map(({ request: { method, path } }) => `${method} ${path}`)
        .join(', ')}`
