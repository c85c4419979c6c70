import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Admission, EventEnvelope } from '@conversation-gateway/openapi/generated/gateway-closed'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { createClient, ended } from '../support/client.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { startGateway } from '../support/gateway-process.ts'

/** The results of a series of kills. The counts from `lost` to `streamFaults` must be zero. */
export interface CrashReport {
  readonly rounds: number
  readonly admitted: number
  readonly lost: number
  readonly doubled: number
  readonly misreported: number
  readonly streamFaults: number
  /** How runs ended, by state. */
  readonly ends: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** The processes of a setup, and the one that each round kills. */
export interface CrashSetup {
  readonly name: string
  /** Settings of each process, started in this order; the first serves the API. */
  readonly processes: readonly Readonly<Record<string, string>>[]
  /** Index of the process that the round kills. */
  readonly victim: (round: number) => number
  readonly endpointId: string
}

/** Short waiting times, so that the gateway recovers from a crash within seconds. */
export const CRASH_SETTINGS = {
  GATEWAY_HEARTBEAT_MS: '250',
  GATEWAY_LEASE_MS: '1000',
  GATEWAY_RECONCILE_MS: '1000',
  GATEWAY_STOP_MS: '2000',
  GATEWAY_PENDING_PER_APP: '100000',
  GATEWAY_PENDING_PER_DEVICE: '100000',
} as const

const SENDERS = 4
const RUN_END_DEADLINE_MS = 60_000

interface SentMessage {
  readonly key: string
  readonly text: string
  answer: Admission | null
}

/** The counts of `inspect`. */
export const createTally = () => ({
  admitted: 0,
  lost: 0,
  doubled: 0,
  misreported: 0,
  streamFaults: 0,
  ends: new Map<string, number>(),
  faults: [] as string[],
})

/** Kills a process in each round while messages are sent and runs execute, then looks for lost or duplicated work. */
export const crashRepeatedly = async (
  setup: CrashSetup,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<CrashReport> => {
  const running: GatewayProcess[] = []
  const tally = createTally()
  try {
    for (const settings of setup.processes) running.push(await startGateway(settings))
    for (let round = 0; round < rounds; round += 1) {
      const victim = setup.victim(round)
      const senders = await openConversations(running[0], setup)
      const load = senders.map((sender) => sendUntilAnswered(sender, setup))
      await pause(30 + Math.random() * 400)
      await running[victim]?.kill()
      const settings = setup.processes[victim]
      if (settings === undefined) throw new Error(`there is no process ${victim}`)
      running[victim] = await startGateway(settings)
      for (const sender of senders) sender.client = clientOf(running[0], sender.subject)
      for (const sender of senders) sender.stopping = true
      await Promise.all(load)
      for (const sender of senders) await inspect(sender, tally)
      onProgress(
        `${setup.name}: round ${round + 1} of ${rounds}, ${tally.admitted} admitted, ${tally.faults.length} faults`,
      )
    }
  } finally {
    for (const process of running) await process.kill()
  }
  return { rounds, ...tally, ends: Object.fromEntries(tally.ends) }
}

/** A sender with its own conversation. It follows the outcome of its messages. */
export interface Sender {
  readonly subject: string
  readonly conversationId: string
  readonly sent: SentMessage[]
  /** The events received by a subscriber that reconnects with its last seq when the connection breaks. */
  readonly seen: EventEnvelope[]
  client: Client
  stopping: boolean
}

const clientOf = (process: GatewayProcess | undefined, subject: string): Client => {
  if (process === undefined) throw new Error('the API process is not running')
  return createClient({ baseUrl: process.baseUrl, key: KEYS.all, subject })
}

export const openConversations = (api: GatewayProcess | undefined, setup: CrashSetup): Promise<Sender[]> =>
  Promise.all(
    Array.from({ length: SENDERS }, async () => {
      const subject = `crash-${randomUUID()}`
      const client = clientOf(api, subject)
      const { status, body } = await client.createConversation({ endpoint_id: setup.endpointId })
      if (status !== 201) throw new Error(`no conversation: ${status} ${JSON.stringify(body)}`)
      return { subject, conversationId: body.conversation_id, sent: [], seen: [], client, stopping: false }
    }),
  )

/** Sends messages one after the other, and repeats each with the same key until it is admitted. */
export const sendUntilAnswered = async (sender: Sender, setup: CrashSetup): Promise<void> => {
  const observer = observe(sender)
  while (!sender.stopping || sender.sent.some(({ answer }) => answer === null)) {
    let message = sender.sent.find(({ answer }) => answer === null)
    if (message === undefined) {
      const text = `${setup.name} ${randomUUID()} a few words to stream back`
      message = { key: randomUUID(), text, answer: null }
      sender.sent.push(message)
    }
    const answer = await sender.client
      .send(sender.conversationId, { text: message.text }, 1, message.key)
      .catch(() => null)
    if (answer?.status === 202) message.answer = answer.body
    // Refused for now (a full queue, a device that is starting), or not answered.
    else await pause(20)
  }
  await observer
}

/** Follows the stream until the load has stopped and all admitted runs have ended. It resumes after the last seq. */
const observe = async (sender: Sender): Promise<void> => {
  const isDone = (): boolean =>
    sender.stopping &&
    sender.sent.every(({ answer }) => answer !== null && sender.seen.some((event) => isEndOf(event, answer.run_id)))
  let deadline = Number.POSITIVE_INFINITY
  while (!isDone() && performance.now() < deadline) {
    if (sender.stopping) deadline = Math.min(deadline, performance.now() + RUN_END_DEADLINE_MS)
    const stream = await sender.client
      .events(sender.conversationId, { after: sender.seen.at(-1)?.seq ?? 0 })
      .catch(() => null)
    if (stream === null || stream.status !== 200) {
      await pause(20)
      continue
    }
    let taken = 0
    const take = (): boolean => {
      sender.seen.push(...stream.events.slice(taken))
      taken = stream.events.length
      return isDone()
    }
    const poll = setInterval(() => {
      if (take()) stream.close()
    }, 20)
    await stream.ended
    clearInterval(poll)
    take()
  }
}

const ENDS = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.interrupted', 'run.expired'])
const isEndOf = (event: EventEnvelope, runId: string): boolean => event.run_id === runId && ENDS.has(event.type)

/** Waits until the runs of a sender have ended, and counts lost, duplicated and wrongly reported work. */
export const inspect = async (sender: Sender, tally: ReturnType<typeof createTally>): Promise<void> => {
  const fault = (kind: 'lost' | 'doubled' | 'misreported' | 'streamFaults', detail: string): void => {
    tally[kind] += 1
    tally.faults.push(`${kind}: ${detail}`)
  }
  const { client, conversationId, sent, seen } = sender
  const texts = new Map<string, number>()
  for (let before: number | undefined; ; ) {
    const { body } = await client.history(
      conversationId,
      before === undefined ? '?limit=100' : `?limit=100&before=${before}`,
    )
    if (body.messages.length === 0) break
    for (const { role, content } of body.messages) {
      if (role === 'user') texts.set(content.text ?? '', (texts.get(content.text ?? '') ?? 0) + 1)
    }
    before = body.messages[0]?.cursor
  }
  for (const { text, answer } of sent) {
    tally.admitted += 1
    const count = texts.get(text) ?? 0
    if (count === 0) fault('lost', `message ${text}`)
    if (count > 1) fault('doubled', `message ${text}, ${count} times`)
    if (answer === null) continue
    const run = await ended(client, answer.run_id, RUN_END_DEADLINE_MS)
    tally.ends.set(run.state, (tally.ends.get(run.state) ?? 0) + 1)
    if (run.state === 'succeeded' ? run.result?.text !== text : run.state !== 'interrupted' && run.state !== 'expired')
      fault('misreported', `run ${run.run_id} is ${run.state} with ${JSON.stringify(run.result)}`)
    const ends = seen.filter((event) => isEndOf(event, answer.run_id))
    if (ends.length !== 1) fault('streamFaults', `run ${run.run_id} ended ${ends.length} times on the stream`)
    const deltas = seen.filter((event) => event.run_id === answer.run_id && event.type === 'assistant.delta')
    const streamed = deltas.map(({ payload }) => ('text' in payload ? payload.text : '')).join('')
    if (run.state === 'succeeded' ? streamed !== text : !text.startsWith(streamed))
      fault('streamFaults', `run ${run.run_id} streamed ${JSON.stringify(streamed)}`)
  }
  seen.forEach(({ seq }, index) => {
    if (seq !== index + 1) fault('streamFaults', `seq ${seq} in place ${index + 1} of ${conversationId}`)
  })
}
