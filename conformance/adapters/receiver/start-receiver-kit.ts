import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { ReceiverConfig } from '../../src/kit/config/receiver-config.ts'
import { siblingModule } from '../sibling-module.ts'
import { readStored } from './journal-store.ts'

export interface ReceiverKitOptions {
  /** Arguments for Node before the program. */
  readonly nodeArguments?: readonly string[]
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
}

const MAIN = siblingModule(import.meta.url, 'main')
/** Looks like hexadecimal, so that a receiver that decodes its secret fails. */
const SECRET = '5ec7e70f0123456789abcdeffedcba9876543210c0ffee00d15ea5e0b0bacafe'

type Child = ChildProcessByStdio<Writable, Readable, null>

/**
 * Starts the SDK's receiver kit as a process of its own on a free port. Returns its configuration with a complete
 * driver.
 */
export const startReceiverKit = async ({
  nodeArguments = [],
  env = {},
}: ReceiverKitOptions = {}): Promise<ReceiverConfig> => {
  const home = await mkdtemp(join(tmpdir(), 'conformance-receiver-'))
  const folder = join(home, 'store')
  const away = join(home, 'store-away')
  const journal = join(folder, 'events.jsonl')
  await mkdir(folder)

  const start = (port: string): Promise<{ child: Child; url: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...nodeArguments, MAIN], {
        env: { ...process.env, ...env, CALLBACK_SECRET: SECRET, JOURNAL: journal, PORT: port },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('\n')) resolve({ child, url: JSON.parse(said).url })
      })
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`The receiver ended (exit code ${code}) before it was ready.`)))
    })
  let { child, url } = await start('0')
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  return {
    name: '@conversation-gateway/sdk/callbacks',
    url,
    secret: SECRET,
    driver: {
      stored: (eventId) => readStored(journal, eventId),
      kill,
      restart: async () => {
        await kill()
        child = (await start(new URL(url).port)).child
      },
      breakStorage: () => rename(folder, away),
      mendStorage: () => rename(away, folder),
    },
    stop: async () => {
      await kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}
