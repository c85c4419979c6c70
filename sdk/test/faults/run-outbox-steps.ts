import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createPlainGateway } from '../support/plain-gateway.ts'
import type { FaultMatrix } from './matrix.ts'
import type { World } from './world.ts'

const CHILD = fileURLToPath(new URL('./outbox-step-child.ts', import.meta.url))
/** Concurrent processes. */
const AT_ONCE = 4

/**
 * Kills a sender at evenly spread steps of a send, and lets another process recover. Counts the gateway's messages
 * whose outcome was never reported (lost), and those that it has twice (doubled).
 * @param most The maximum number of steps; all steps if there are fewer.
 */
export const runOutboxSteps = async (world: World, matrix: FaultMatrix, most: number): Promise<number> => {
  const all = Number(await sendOnce(world, 0, matrix))
  const count = Math.min(most, all)
  const steps = Array.from({ length: count }, (_, index) => 1 + Math.floor((index * all) / count))
  const next = steps.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const step of next) await sendOnce(world, step, matrix)
    }),
  )
  return count
}

/** @returns The sender's output, if it printed any. */
const sendOnce = async ({ gateway }: World, step: number, matrix: FaultMatrix): Promise<string> => {
  const subject = `subject-steps-${crypto.randomUUID()}`
  const plain = createPlainGateway(() => gateway.origin, subject)
  const conversationId = await plain.createConversation('ep_echo')
  const folder = await mkdtemp(join(tmpdir(), 'sdk-outbox-steps-'))
  const run = async (command: string): Promise<string> => {
    const child = spawn(
      process.execPath,
      [CHILD, gateway.origin, folder, subject, conversationId, command, `${step}`],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [output, [code, signal]] = await Promise.all([readText(child.stdout), once(child, 'exit')])
    if (signal === null && code !== 0) throw new Error(`${command} at step ${step} ended with ${code}`)
    return output
  }
  try {
    const output = await run('send')
    await run('recover')
    const left = await readdir(join(folder, 'outbox')).catch(() => [])
    if (left.some((name) => name.endsWith('.json'))) throw new Error(`the outbox was not cleared after step ${step}`)
    const journal = await readFile(join(folder, 'journal'), 'utf8').catch(() => '')
    const reported = new Set(journal.split('\n').filter(Boolean))
    const sent = (await plain.messages(conversationId)).filter(({ role }) => role === 'user')
    const unreported = sent.filter(({ message_id: id }) => !reported.has(id))
    matrix.add('send: sender killed at any step', {
      cases: 1,
      admissionsLost: unreported.length + Math.max(0, reported.size - sent.length),
      admissionsDoubled: Math.max(0, sent.length - 1),
    })
    return output
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
