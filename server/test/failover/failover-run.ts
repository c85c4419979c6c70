import { CRASH_SETTINGS, type CrashSetup, inspect, openConversations, sendUntilTold } from '../crash/crash-run.ts'
import { KEYS, writeBootstrap } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import type { DatabaseServers } from './database-servers.ts'

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
 * Kills the primary under load and lets a synchronous standby replace it, again and again, with the same gateway processes.
 * Every message that was answered with 202 must exist exactly once, whichever server accepted it. Stops the servers at the end.
 */
export const failOverRepeatedly = async (
  servers: DatabaseServers,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<FailoverReport> => {
  const running: GatewayProcess[] = []
  const tally = { admitted: 0, lost: 0, doubled: 0, untruthful: 0, streamFaults: 0, ends: new Map<string, number>() }
  const faults: string[] = []
  const answers = new Map<number, number>()
  const outagesMs: number[] = []
  const promotionsMs: number[] = []
  try {
    const setup = await setupOn(servers.url)
    for (const settings of setup.processes) running.push(await startGateway(settings))
    for (let round = 1; round <= rounds; round += 1) {
      const senders = await openConversations(running[0], setup)
      const acknowledgedAt: number[] = []
      for (const sender of senders) sender.client = counting(sender.client, answers, acknowledgedAt)
      const load = senders.map((sender) => sendUntilTold(sender, setup))
      await pause(500 + Math.random() * 500)
      const diedAt = performance.now()
      await servers.failOver()
      const promotedAt = performance.now()
      promotionsMs.push(promotedAt - diedAt)
      await untilAcknowledged(acknowledgedAt, promotedAt)
      outagesMs.push(outageAfter(diedAt, acknowledgedAt))
      await pause(300)
      await servers.restore()
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
    await servers.stop()
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

/** The same client, whose answers to messages are counted and whose admissions are timed. */
const counting = (client: Client, answers: Map<number, number>, acknowledgedAt: number[]): Client => ({
  ...client,
  send: async (...args) => {
    const answer = await client.send(...args)
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    if (answer.status === 202) acknowledgedAt.push(performance.now())
    return answer
  },
})

/** Waits until one more message is answered with 202. */
const untilAcknowledged = async (acknowledgedAt: readonly number[], promotedAt: number): Promise<void> => {
  while ((acknowledgedAt.at(-1) ?? 0) < promotedAt) {
    if (performance.now() - promotedAt > FIRST_ANSWER_WITHIN_MS)
      throw new Error('no message was admitted after the failover')
    await pause(5)
  }
}

/**
 * How long it took from the death until messages were admitted again: until the end of the longest time without a 202.
 * Answers of the killed server may still arrive just after its death.
 */
const outageAfter = (diedAt: number, acknowledgedAt: readonly number[]): number => {
  let longest = { gap: 0, end: diedAt }
  let previous = diedAt
  for (const at of acknowledgedAt.filter((time) => time > diedAt)) {
    if (at - previous > longest.gap) longest = { gap: at - previous, end: at }
    previous = at
  }
  return longest.end - diedAt
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
