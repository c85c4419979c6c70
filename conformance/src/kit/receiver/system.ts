import { describeConfig } from '../config/describe-config.ts'
import type { ReceiverConfig, ReceiverDriver } from '../config/receiver-config.ts'
import { DriverError } from '../failure.ts'
import { messageOf } from '../message-of.ts'
import { type System, SystemAbsentError } from '../system.ts'
import { createRedaction, createTranscript } from '../transcript.ts'
import { createWaits, type Waits } from '../waits.ts'
import { type Callback, makeCallback } from './callback.ts'
import { post, type Sending } from './post.ts'
import type { ReceiverContext } from './receiver-context.ts'

/** Time limit for the receiver's first answer. */
const PROBE_MS = 15_000

/** Prepares the receiver target. The receiver is already running; `config.stop` is called at the end. */
export const startReceiverSystem = async (config: ReceiverConfig): Promise<System<ReceiverContext>> => {
  const { url, secret, answerMs = 30_000, clockToleranceSeconds = 0 } = config
  const functions = Object.entries(config.driver ?? {}).filter(([, value]) => typeof value === 'function')
  return {
    target: 'receiver',
    name: config.name ?? url,
    configuration: describeConfig(config, createRedaction([secret]).redact),
    capabilities: new Set(functions.map(([name]) => name)),
    concurrency: config.concurrency ?? 4,
    waitMs: answerMs,
    probe: async () => {
      const unauthentic = makeCallback({ secret: 'not the secret of the receiver' })
      await post(unauthentic, {
        url,
        answerMs: Math.min(answerMs, PROBE_MS),
        transcript: createTranscript(String),
        signal: new AbortController().signal,
      }).catch((error: unknown) => {
        throw new SystemAbsentError(`${messageOf(error)}. Is it running, and is url right?`)
      })
    },
    open: async () => {
      const { redact } = createRedaction([secret])
      const transcript = createTranscript(redact)
      const waits = createWaits()
      const over = new AbortController()
      const driver = observedDriver(config.driver ?? {}, waits)
      const send = (callback: Callback, sending?: Sending) =>
        waits.during(
          `the answer to the callback ${callback.eventId}`,
          post(callback, { url, answerMs, transcript, signal: over.signal, ...(sending ? { sending } : {}) }),
        )
      return {
        context: {
          secret,
          clockToleranceSeconds,
          driver,
          make: (parts = {}) => makeCallback({ secret, ...parts }),
          post: send,
          expectAccepted: async (what, callback, sending) => {
            const answer = await send(callback, sending)
            if (answer === null || answer.status < 200 || answer.status > 299)
              throw new Error(`${what} must be accepted with 2xx, but got ${describe(answer)}`)
            if (config.driver?.stored === undefined) return
            const stored = await driver.stored(callback.eventId)
            if (stored === null) throw new Error(`${what} was answered ${answer.status}, but is not stored`)
            if (stored.body !== Buffer.from(callback.body).toString('utf8'))
              throw new Error(`${what} was answered ${answer.status}, but another body is stored: ${stored.body}`)
          },
          expectRefused: async (what, callback, sending) => {
            const answer = await send(callback, sending)
            if (answer !== null && answer.status >= 200 && answer.status <= 299)
              throw new Error(`${what} must be refused, but got ${describe(answer)}`)
            if (config.driver?.stored !== undefined && (await driver.stored(callback.eventId)) !== null)
              throw new Error(`${what} was refused, but is stored`)
            return answer?.status ?? null
          },
        },
        redact,
        transcript: transcript.entries,
        waits: waits.list,
        abort: (reason) => over.abort(reason),
        close: async () => [],
      }
    },
    stop: async () => config.stop?.(),
  }
}

const describe = (answer: { readonly status: number } | null): string =>
  answer === null ? 'no answer' : `the status ${answer.status}`

/** Wraps the driver: its errors become `DriverError`, and its calls are registered as waits. */
function observedDriver(driver: ReceiverDriver, waits: Waits): Required<ReceiverDriver> {
  const call = async <Result>(
    name: keyof ReceiverDriver,
    run: (() => Promise<Result>) | undefined,
  ): Promise<Result> => {
    if (run === undefined) throw new Error(`the check uses driver.${name}, which its needs do not list`)
    try {
      return await waits.during(`driver.${name}`, run(), 'driver')
    } catch (error) {
      throw new DriverError(`driver.${name} failed: ${messageOf(error)}`)
    }
  }
  const { kill, restart, breakStorage, mendStorage } = driver
  return {
    stored: async (eventId) => {
      const found = (await call('stored', driver.stored?.bind(driver, eventId))) ?? null
      if (found === null || typeof found.body === 'string') return found
      throw new DriverError(
        `driver.stored must return null or { body, … } with the received body, not ${JSON.stringify(found)}`,
      )
    },
    kill: () => call('kill', kill?.bind(driver)),
    restart: () => call('restart', restart?.bind(driver)),
    breakStorage: () => call('breakStorage', breakStorage?.bind(driver)),
    mendStorage: () => call('mendStorage', mendStorage?.bind(driver)),
  }
}
