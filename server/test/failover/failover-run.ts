import { setTimeout as pause } from 'node:timers/promises'
import { createTally, inspect, openConversations, sendUntilAnswered } from '../crash/crash-run.ts'
import { onPostgres } from '../crash/setups.ts'
import type { Client } from '../support/client.ts'
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import type { DatabaseServers } from './database-servers.ts'

/** The results of a series of failovers. The counts from `lost` to `internalErrors` must be zero. */
export interface FailoverReport {
  readonly rounds: number
  readonly admitted: number
  readonly lost: number
  readonly doubled: number
  readonly misreported: number
  readonly streamFaults: number
  /** The number of answers with status 500. */
  readonly internalErrors: number
  readonly faults: readonly string[]
  /** The number of answers with each status. */
  readonly answers: Readonly<Record<string, number>>
  /** For each round, the time from the death of the primary until messages were admitted again. */
  readonly outagesMs: readonly number[]
  /** For each round, the time from the death of the primary until the standby accepts writes. */
  readonly promotionsMs: readonly number[]
}

const FIRST_ANSWER_WITHIN_MS = 60_000

/**
 * Kills the primary under load and lets a synchronous standby replace it, repeatedly, with the same gateway processes.
 * Every message that was answered with 202 must exist exactly once. Stops the servers at the end.
 */
export const failOverRepeatedly = async (
  servers: DatabaseServers,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<FailoverReport> => {
  const running: GatewayProcess[] = []
  const tally = createTally()
  const answers = new Map<number, number>()
  const outagesMs: number[] = []
  const promotionsMs: number[] = []
  try {
    const setup = { ...(await onPostgres(servers.url)), name: 'failover' }
    for (const settings of setup.processes) running.push(await startGateway(settings))
    for (let round = 1; round <= rounds; round += 1) {
      const senders = await openConversations(running[0], setup)
      const acknowledgedAt: number[] = []
      for (const sender of senders) sender.client = counting(sender.client, answers, acknowledgedAt)
      const load = senders.map((sender) => sendUntilAnswered(sender, setup))
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
      for (const sender of senders) await inspect(sender, tally)
      onProgress(
        `failover ${round} of ${rounds}: admitting again after ${Math.round(outagesMs.at(-1) ?? 0)} ms (promoted after ${Math.round(promotionsMs.at(-1) ?? 0)} ms), ${tally.admitted} admitted, ${tally.faults.length} faults, ${answers.get(500) ?? 0} answers 500`,
      )
    }
  } finally {
    for (const process of running) await process.kill()
    await servers.stop()
  }
  const { ends: _, ...counts } = tally
  const internalErrors = answers.get(500) ?? 0
  return { rounds, ...counts, internalErrors, answers: Object.fromEntries(answers), outagesMs, promotionsMs }
}

/** Wraps the client: counts the answers to messages, and records the times of admissions. */
const counting = (client: Client, answers: Map<number, number>, acknowledgedAt: number[]): Client => ({
  ...client,
  send: async (...args) => {
    const answer = await client.send(...args)
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    if (answer.status === 202) acknowledgedAt.push(performance.now())
    return answer
  },
})

/** Waits until a message is answered with 202 after the promotion. */
const untilAcknowledged = async (acknowledgedAt: readonly number[], promotedAt: number): Promise<void> => {
  while ((acknowledgedAt.at(-1) ?? 0) < promotedAt) {
    if (performance.now() - promotedAt > FIRST_ANSWER_WITHIN_MS)
      throw new Error('no message was admitted after the failover')
    await pause(5)
  }
}

/**
 * The time from the death until messages were admitted again: until the end of the longest gap between answers with
 * status 202. Answers to commits before the death may still arrive just after it.
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
