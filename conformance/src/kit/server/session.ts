import { randomBytes } from 'node:crypto'
import type { ServerConfig } from '../config/server-config.ts'
import type { Session } from '../system.ts'
import { createTranscript } from '../transcript.ts'
import { createWaits } from '../waits.ts'
import type { AdaptiveTimeouts } from './adaptive-timeouts.ts'
import { createAdminCaller } from './admin-caller.ts'
import type { CallbackReceiver } from './callback-receiver.ts'
import type { Caller } from './caller.ts'
import { createCaller } from './caller.ts'
import { endUnfinishedWork } from './clean-up.ts'
import type { ServerCheck, ServerContext } from './context.ts'
import { createContext } from './context.ts'
import type { Contract, Profile } from './contract.ts'
import type { EventStream } from './event-stream.ts'
import { openStream } from './event-stream.ts'
import { type Pacer, refusalsExaminedBy } from './pacer.ts'
import type { Answer, WireRequest } from './wire.ts'
import { createWire } from './wire.ts'

/** State shared by all checks of a server. */
export interface Shared {
  readonly config: ServerConfig
  readonly profile: Profile
  readonly contract: Contract
  readonly adminContract: Pick<Contract, 'faultsOf'>
  /** Shared by all checks, because the gateway's limit applies to all of them together. */
  readonly pacer: Pacer
  readonly timeouts: AdaptiveTimeouts
  redact(text: string): string
  readonly deadlines: { readonly answerMs: number; readonly settleMs: number; readonly quietMs: number }
  /** The gateway's clock, including moves by a check. */
  readonly clock: { now(): number }
  /** Returns the secret that signs callbacks, including rotations by a check. */
  callbackSecret(): string
  /** Called with the result of each call to the driver. */
  driverDid(name: string, args: readonly unknown[], result: unknown): void
  /** Returns the suite's receiver, or null if the check does not need it. */
  callbacksFor(check: ServerCheck): Promise<CallbackReceiver | null>
}

/** Opens the session of one check. */
export async function openSession(check: ServerCheck, shared: Shared): Promise<Session<ServerContext>> {
  const { config, profile, contract, deadlines, redact, pacer, timeouts } = shared
  const { answerMs, settleMs, quietMs } = deadlines
  const transcript = createTranscript(redact)
  const waits = createWaits()
  const over = new AbortController()
  const wire = createWire({ baseUrl: config.baseUrl, answerMs, timeouts, transcript, waits, signal: over.signal })
  const faults = new Set<string>()
  const onFault = (fault: string) => faults.add(fault)
  const streams = new Set<EventStream>()
  const worked = new Map<string, Pick<Caller, 'apiKey' | 'subject'>>()
  const allowedStreams = check.streams ?? 0
  const isMet = refusalsExaminedBy(check)

  const send = async (request: WireRequest): Promise<Answer> => {
    const answer = await pacer.send(request, { attempt: () => wire.send(request), isMet, signal: over.signal })
    for (const fault of contract.faultsOf(answer)) onFault(fault)
    return answer
  }
  const open = async (request: WireRequest): Promise<EventStream | Answer> => {
    const onEnd = (stream: EventStream): void => {
      streams.delete(stream)
    }
    const attempt = () => openStream({ wire, request, settleMs, timeouts, transcript, waits, contract, onFault, onEnd })
    const opened = await pacer.send(request, { attempt, isMet, signal: over.signal })
    if (!('frames' in opened)) {
      for (const fault of contract.faultsOf(opened)) onFault(fault)
      return opened
    }
    if (opened.end() === null) streams.add(opened)
    if (streams.size > allowedStreams)
      throw new Error(`the check opens ${streams.size} streams, but declares ${allowedStreams}`)
    return opened
  }
  const context = createContext({
    profile,
    config,
    needs: check.needs ?? [],
    subjects: subjectsOf(config),
    makeCaller: (apiKey, subject) =>
      createCaller({
        apiKey,
        subject,
        send,
        open,
        onConversation: (caller, conversationId) => worked.set(conversationId, caller),
      }),
    send,
    note: (text) => transcript.add('note', text),
    answerMs,
    settleMs,
    quietMs,
    waits,
    signal: over.signal,
    now: shared.clock.now,
    pausedMs: pacer.pausedMs,
    admin:
      config.admin === undefined
        ? null
        : createAdminCaller({
            admin: config.admin,
            contract: shared.adminContract,
            wire: { answerMs, timeouts, transcript, waits, signal: over.signal },
            onFault,
          }),
    callbacks: await shared.callbacksFor(check),
    callbackSecret: shared.callbackSecret,
    driverDid: shared.driverDid,
  })
  return {
    context,
    redact,
    transcript: transcript.entries,
    waits: waits.list,
    abort: (reason) => over.abort(reason),
    close: async () => {
      for (const stream of streams) stream.close()
      const seen = [...faults]
      await endUnfinishedWork(worked, { baseUrl: config.baseUrl, answerMs, pacer })
      return seen.map((fault) => `the contract is violated: ${fault}`)
    },
  }
}

function subjectsOf({ subjects, freshSubjects = true }: ServerConfig): { own: string; other: string } {
  if (!freshSubjects) return { own: subjects.first, other: subjects.second }
  const suffix = randomBytes(6).toString('hex')
  return { own: `${subjects.first}-${suffix}`, other: `${subjects.second}-${suffix}` }
}
