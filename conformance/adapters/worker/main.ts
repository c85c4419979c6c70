/** The SDK's worker with an assistant that follows the scripts of the suite (src/kit/worker/SCRIPTS.md). */
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker, type WorkerAssistant, type WorkerError } from '@conversation-gateway/sdk/worker'

type Step =
  | { readonly delta: string }
  | { readonly message: string }
  | { readonly approval: string }
  | { readonly sleep_ms: number }
  | { readonly hang: true }
  | { readonly fail: WorkerError }
  | { readonly throw: true }

const assistant: WorkerAssistant = async function* ({ input, signal }) {
  const wait = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal }).catch(() => {})
  for (const step of (input.data?.script ?? []) as readonly Step[]) {
    if ('delta' in step || 'message' in step) yield step
    else if ('approval' in step) {
      if ((yield step) === 'denied')
        return { state: 'failed', error: { code: 'DENIED', message: 'It was denied.', retryable: false } }
    } else if ('sleep_ms' in step) await wait(step.sleep_ms)
    else if ('hang' in step) await wait(3_600_000)
    else if ('fail' in step) return { state: 'failed', error: step.fail }
    else throw new Error('The script says so.')
  }
}

const { GATEWAY_BASE_URL = '', GATEWAY_DEVICE_KEY = '', SERVICES = '' } = process.env
const ending = new AbortController()
process.once('SIGTERM', () => ending.abort())
await createWorker({
  url: GATEWAY_BASE_URL,
  key: GATEWAY_DEVICE_KEY,
  slots: 2,
  name: 'conformance',
  assistants: { [SERVICES]: assistant },
}).run({ signal: ending.signal })
