import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createPlainGateway } from '../support/plain-gateway.ts'
import { countAdmissions, type FaultMatrix } from './matrix.ts'
import type { World } from './world.ts'

const CHILD = fileURLToPath(new URL('./outbox-child.ts', import.meta.url))

/** The moment of a send at which the process dies. */
export const DEATHS = [
  'before its request arrived',
  'before its answer arrived',
  'when its answer has arrived and the program resumes',
] as const
export type Death = (typeof DEATHS)[number]

/**
 * Kills a process after it has recorded a message and before it has processed the answer. Lets another process recover
 * twice, and counts the messages at the gateway.
 */
export const runOutboxCrash = async ({ gateway, proxy }: World, matrix: FaultMatrix, death: Death): Promise<void> => {
  const subject = `subject-outbox-${crypto.randomUUID()}`
  const plain = createPlainGateway(() => gateway.origin, subject)
  const conversationId = await plain.createConversation('ep_echo')
  const folder = await mkdtemp(join(tmpdir(), 'sdk-outbox-'))
  const start = (command: string, text = '') =>
    spawn(process.execPath, [CHILD, proxy.origin, folder, subject, conversationId, command, text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const recover = async (): Promise<readonly string[]> => JSON.parse(await readText(start('recover').stdout))
  const message = `dies ${death} é 𝄞`
  proxy.clearExchanges()
  try {
    if (death === 'before its request arrived') proxy.target = null
    if (death === 'before its answer arrived') proxy.inject({ fault: { kind: 'half-open', atByte: 0 } })
    const victim = start(
      death === 'when its answer has arrived and the program resumes' ? 'die-on-answer' : 'send',
      message,
    )
    const gone = once(victim, 'exit')
    if (death === 'before its request arrived') await proxy.untilExchange(({ ending }) => ending === 'reset')
    if (death === 'before its answer arrived') await proxy.untilExchange(({ isSilent }) => isSilent)
    if (death !== 'when its answer has arrived and the program resumes') victim.kill('SIGKILL')
    const [, signal]: unknown[] = await gone
    if (signal !== 'SIGKILL') throw new Error('the sender exited before it was killed')
    proxy.target = gateway.origin
    const [messageId = null] = await recover()
    const second = await recover()
    if (second.length > 0 || (await readdir(folder)).length > 0) throw new Error('the outbox was not cleared')
    const counts = countAdmissions([{ text: message, messageId }], await plain.messages(conversationId))
    matrix.add(`send: sender killed ${death}`, { cases: 1, ...counts })
  } finally {
    proxy.target = gateway.origin
    await rm(folder, { recursive: true, force: true })
  }
}
