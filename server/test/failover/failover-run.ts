import {
  CRASH_SETTINGS,
  type CrashSetup,
  inspect,
  openConversations,
  type Sender,
  sendUntilTold,
} from '../crash/crash-run.ts'
import { KEYS, writeBootstrap } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import { startServerPair } from './server-pair.ts'

/** What a series of failovers showed. Every number but those of rounds, admissions and times has to be zero. */
export interface FailoverReport {
  readonly rounds: number
  readonly admitted: number
  readonly lost: number
  readonly doubled: number
  readonly untruthful: number
  readonly streamFaults: number
  /** Answers 500. */
  readonly internalErrors: number
  readonly faults: readonly string[]
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>
  /** Of each round, from the death of the primary to the first 202, in milliseconds. */
  readonly outagesMs: readonly number[]
  /** Of each round, how much of that the standby took to be one that takes writes. */
  readonly promotionsMs: readonly number[]
}

const FIRST_ANSWER_WITHIN_MS = 60_000

/**
 * Kills the primary of a PostgreSQL with a synchronous standby under load and promotes the standby, again and again, with
 * the same gateway processes. What was answered with 202 must be there once, whatever server it was answered by.
 */
export const failOverRepeatedly = async (
  binaries: string,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<FailoverReport> => {
  const pair = await startServerPair(binaries)
  const running: GatewayProcess[] = []
  const tally = { admitted: 0, lost: 0, doubled: 0, untruthful: 0, streamFaults: 0, ends: new Map<string, number>() }
  const faults: string[] = []
  const answers = new Map<number, number>()
  const outagesMs: number[] = []
  const promotionsMs: number[] = []
  try {
    const setup = await setupOn(pair.url)
    for (const settings of setup.processes) running.push(await startGateway(settings))
    for (let round = 1; round <= rounds; round += 1) {
      const senders = await openConversations(running[0], setup)
      for (const sender of senders) sender.client = counting(sender.client, answers)
      const load = senders.map((sender) => sendUntilTold(sender, setup))
      await pause(500 + Math.random() * 500)
      const diedAt = performance.now()
      const known = acknowledged(senders)
      await pair.failOver()
      promotionsMs.push(performance.now() - diedAt)
      outagesMs.push(await untilAcknowledged(senders, known, diedAt))
      await pause(300)
      await pair.restore()
      for (const sender of senders) sender.stopping = true
      await Promise.all(load)
      for (const sender of senders)
        await inspect(sender, tally, (kind, detail) => {
          tally[kind] += 1
          faults.push(`${kind}: ${detail}`)
        })
      onProgress(
        `failover ${round} of ${rounds}: first 202 after ${Math.round(outagesMs.at(-1) ?? 0)} ms (promoted after ${Math.round(promotionsMs.at(-1) ?? 0)} ms), ${tally.admitted} admitted, ${faults.length} faults, ${answers.get(500) ?? 0} answers 500`,
      )
    }
  } finally {
    for (const process of running) await process.kill()
    await pair.stop()
  }
  const { ends: _, ...counts } = tally
  const internalErrors = answers.get(500) ?? 0
  return { rounds, ...counts, internalErrors, faults, answers: Object.fromEntries(answers), outagesMs, promotionsMs }
}

const setupOn = async (url: string): Promise<CrashSetup> => {
  const settings = {
    ...CRASH_SETTINGS,
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    DATABASE_URL: url,
    GATEWAY_LOG_LEVEL: 'error',
  }
  return {
    name: 'failover',
    processes: [
      { ...settings, GATEWAY_ROLES: 'api,maintenance' },
      { ...settings, GATEWAY_ROLES: 'device' },
    ],
    victim: () => 0,
    apiKey: KEYS.all,
    endpointId: 'ep_echo',
  }
}

/** The same client, whose answers to messages are counted. */
const counting = (client: Client, answers: Map<number, number>): Client => ({
  ...client,
  send: async (...args) => {
    const answer = await client.send(...args)
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    return answer
  },
})

const acknowledged = (senders: readonly Sender[]): number =>
  senders.reduce((sum, { intentions }) => sum + intentions.filter(({ answer }) => answer !== null).length, 0)

/** How long it took after the death until one more message was answered with 202. */
const untilAcknowledged = async (senders: readonly Sender[], known: number, diedAt: number): Promise<number> => {
  while (acknowledged(senders) <= known) {
    if (performance.now() - diedAt > FIRST_ANSWER_WITHIN_MS)
      throw new Error('no message was admitted after the failover')
    await pause(5)
  }
  return performance.now() - diedAt
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
