import { randomUUID } from 'node:crypto'
import { type Fault, type FaultProxy, startFaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import type { Run } from '../../src/generated/gateway.ts'
import { createWorker } from '../../src/worker/index.ts'
import { ADMIN_TOKEN, WORKER_SERVICE } from '../support/gateway-process.ts'
import type { FaultMatrix } from './matrix.ts'
import type { SendCase } from './send-cases.ts'
import type { World } from './world.ts'

/** The requests that a worker makes for its runs. */
const EXCHANGES = ['claims', 'heartbeats', 'steps', 'end'] as const
type ExchangeName = (typeof EXCHANGES)[number]

const WORKERS = 8
const SLOTS = 2
const WORDS = ['One ', 'two ', 'three']
/** The limit of a sweep, in bytes. Answers to these exchanges are shorter. */
const LONGEST_ANSWER = 4096

const pathOf = (name: ExchangeName): RegExp => new RegExp(`^/worker/v1/.*/${name}$`)

interface WorkerSetup {
  readonly proxy: FaultProxy
  /** Executes runs until no fault is pending; all runs have ended then. */
  execute(matrix: FaultMatrix, fault: string): Promise<void>
  close(): Promise<void>
}

/**
 * Workers behind their own proxy. Records how often each run was executed, and the text that its readers received. Lost
 * "admissions" are runs that did not succeed with the assistant's text; doubled ones were executed twice. "Events" are
 * the characters of the streamed texts.
 */
const openSetup = async ({ gateway, client, plain }: World): Promise<WorkerSetup> => {
  const proxy = await startFaultProxy({ target: gateway.origin })
  const key = await createDeviceKey(gateway.origin)
  const executions = new Map<string, number>()
  const ending = new AbortController()
  const serving = Array.from({ length: WORKERS }, () =>
    createWorker({
      url: proxy.origin,
      key,
      slots: SLOTS,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      assistants: async function* ({ runId }) {
        executions.set(runId, (executions.get(runId) ?? 0) + 1)
        for (const delta of WORDS) {
          yield { delta }
          // Each piece is sent in its own request.
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      },
    }).run({ signal: ending.signal }),
  )

  /** Sends messages one after the other, each after the previous run has ended. */
  const converse = async (isOver: () => boolean): Promise<{ conversationId: string; runs: readonly Run[] }> => {
    const { conversation_id: conversationId } = await client.conversations.create(
      { endpoint_id: WORKER_SERVICE.endpoint_id },
      { idempotencyKey: randomUUID() },
    )
    const runs: Run[] = []
    do {
      const { run_id } = await client.messages.send(conversationId, {
        expected_generation: 1,
        input: { text: 'Count.' },
      })
      await plain.settledEvents(conversationId)
      runs.push(await client.runs.get(run_id))
    } while (!isOver())
    return { conversationId, runs }
  }

  return {
    proxy,
    execute: async (matrix, fault) => {
      const text = WORDS.join('')
      const cases = proxy.waitingFaults()
      const isOver = (): boolean => proxy.waitingFaults() === 0
      const conversations = await Promise.all(Array.from({ length: WORKERS * SLOTS }, () => converse(isOver)))
      matrix.add(fault, { cases })
      for (const { conversationId, runs } of conversations) {
        const events = await plain.events(conversationId)
        for (const { run_id, state, result } of runs) {
          const streamed = events
            .flatMap((event) =>
              event.run_id === run_id && event.type === 'assistant.delta' ? [event.payload.text] : [],
            )
            .join('')
          matrix.add(fault, {
            admissionsLost: state === 'succeeded' && result?.text === text ? 0 : 1,
            admissionsDoubled: Math.max(0, (executions.get(run_id) ?? 0) - 1),
            eventsLost: Math.max(0, text.length - streamed.length),
            eventsDoubled: streamed === text ? 0 : Math.max(0, streamed.length - text.length),
          })
        }
      }
    },
    close: async () => {
      ending.abort()
      await Promise.all(serving)
      await proxy.close()
    },
  }
}

const createDeviceKey = async (origin: string): Promise<string> => {
  const answer = await fetch(`${origin}/admin/v1/devices/${WORKER_SERVICE.device_id}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const { key }: { key: string } = await answer.json()
  return key
}

/** Adds an exchange without a fault after each fault, so that the retry succeeds. */
const inject = (proxy: FaultProxy, path: RegExp, faults: readonly (Fault | readonly Fault[])[]): void => {
  for (const fault of faults) {
    proxy.inject({ path, fault })
    proxy.inject({ path, fault: { kind: 'pass' } })
  }
}

/**
 * Cuts answers to workers at every byte, or at every nth, alternately with a reset and a clean end of the connection.
 * @returns The number of kinds of answers.
 */
export const sweepWorkers = async (world: World, matrix: FaultMatrix, every: number): Promise<number> => {
  const setup = await openSetup(world)
  try {
    await setup.execute(matrix, 'worker: no fault')
    for (const name of EXCHANGES) {
      const lengths = setup.proxy
        .exchanges()
        .flatMap(({ path, answer }) => (pathOf(name).test(path) ? [answer.byteLength] : []))
      const longest = Math.min(Math.max(...lengths), LONGEST_ANSWER)
      const faults: Fault[] = []
      for (let atByte = 0; atByte < longest; atByte += every)
        faults.push({ kind: 'cut-answer', atByte, how: (atByte / every) % 2 === 0 ? 'reset' : 'end' })
      inject(setup.proxy, pathOf(name), faults)
      await setup.execute(matrix, `worker: answer to ${name} cut at every byte`)
    }
    return EXCHANGES.length
  } finally {
    await setup.close()
  }
}

/** Applies a fault to each exchange of workers, twice. */
export const runWorkers = async (world: World, matrix: FaultMatrix, { fault, attempts }: SendCase): Promise<void> => {
  const setup = await openSetup(world)
  try {
    for (const name of EXCHANGES)
      for (let times = 0; times < 2; times += 1) {
        for (const attempt of attempts(Date.now())) setup.proxy.inject({ path: pathOf(name), fault: attempt })
        setup.proxy.inject({ path: pathOf(name), fault: { kind: 'pass' } })
      }
    await setup.execute(matrix, `worker: ${fault}`)
  } finally {
    await setup.close()
  }
}
