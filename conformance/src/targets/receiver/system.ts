import type { ReceiverConfig, ReceiverDriver } from '../../config/receiver-config.ts'
import type { System } from '../../system.ts'
import { createRedaction, createTranscript } from '../../transcript.ts'
import { type Callback, makeCallback } from './callback.ts'
import { post, type Sending } from './post.ts'
import type { ReceiverContext } from './receiver-context.ts'

/** Starts the receiver target. The receiver itself runs already; `config.stop` is called at the end. */
export const startReceiverSystem = async (config: ReceiverConfig): Promise<System<ReceiverContext>> => {
  const { url, secret, answerMs = 30_000, clockToleranceSeconds = 0 } = config
  const driver = withCheckedAnswers(config.driver ?? {})
  const functions = Object.entries(driver).filter(([, value]) => typeof value === 'function')
  return {
    target: 'receiver',
    name: config.name ?? url,
    capabilities: new Set(functions.map(([name]) => name)),
    concurrency: config.concurrency ?? 4,
    open: async () => {
      const redact = createRedaction([secret])
      const transcript = createTranscript(redact)
      const send = (callback: Callback, sending?: Sending) =>
        post(callback, { url, answerMs, transcript, ...(sending ? { sending } : {}) })
      return {
        context: {
          secret,
          clockToleranceSeconds,
          driver: completeDriver(driver),
          make: (parts = {}) => makeCallback({ secret, ...parts }),
          post: send,
          expectAccepted: async (what, callback, sending) => {
            const answer = await send(callback, sending)
            if (answer === null || answer.status < 200 || answer.status > 299)
              throw new Error(`${what} must be accepted with 2xx, but got ${describe(answer)}`)
            if (!driver.stored) return
            const stored = await driver.stored(callback.eventId)
            if (stored === null) throw new Error(`${what} was answered ${answer.status}, but is not stored`)
            if (stored.body !== Buffer.from(callback.body).toString('utf8'))
              throw new Error(`${what} was answered ${answer.status}, but something else is stored: ${stored.body}`)
          },
          expectRefused: async (what, callback, sending) => {
            const answer = await send(callback, sending)
            if (answer !== null && answer.status >= 200 && answer.status <= 299)
              throw new Error(`${what} must be refused, but got ${describe(answer)}`)
            if (driver.stored && (await driver.stored(callback.eventId)) !== null)
              throw new Error(`${what} was refused, but is stored all the same`)
            return answer?.status ?? null
          },
        },
        redact,
        transcript: transcript.entries,
        close: async () => [],
      }
    },
    stop: async () => config.stop?.(),
  }
}

const describe = (answer: { readonly status: number } | null): string =>
  answer === null ? 'no answer' : `the status ${answer.status}`

/** What the driver's author got wrong is said as such, not as a fault of the receiver. */
const withCheckedAnswers = (driver: ReceiverDriver): ReceiverDriver => {
  if (driver.stored === undefined) return driver
  const stored = driver.stored.bind(driver)
  return {
    ...driver,
    stored: async (eventId) => {
      const found = (await stored(eventId)) ?? null
      if (found === null || typeof found.body === 'string') return found
      throw new Error(
        `driver.stored must return null or { body, … } with the body as it was received, not ${JSON.stringify(found)}`,
      )
    },
  }
}

/** Checks name what they need, so that none of these stand-ins is ever called. */
const completeDriver = (driver: ReceiverDriver): Required<ReceiverDriver> => {
  const missing = async (): Promise<never> => {
    throw new Error('A check uses a driver function that it does not name in its needs.')
  }
  return { stored: missing, kill: missing, restart: missing, breakStorage: missing, mendStorage: missing, ...driver }
}
