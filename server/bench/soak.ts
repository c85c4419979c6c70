import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import type { Client } from '../test/support/client.ts'
import { createClient, eventually } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { GatewayProcess } from '../test/support/gateway-process.ts'
import { loadRuns } from './support/processes.ts'
import { REPORTS_MEMORY, readMemory } from './support/read-memory.ts'
import type { MemoryReport } from './support/report-memory.ts'
import { KEY, SUBJECT, startRunServer, withServices } from './whole-run.ts'

const AT_ONCE = 16
const UPLOAD_BYTES = 64 * 1024
const WARM_UP = 500

export const SOAK_ITEMS = ['runs', 'streams', 'refused', 'uploads', 'callbacks', 'conversations'] as const
export type SoakItem = (typeof SOAK_ITEMS)[number]
export type SoakDatabase = 'embedded' | 'postgres'

export interface SoakPlan {
  /** The number of items of each kind before the second reading, and again before the third. */
  readonly count: number
  readonly databases: readonly SoakDatabase[]
  readonly items: readonly SoakItem[]
}

/** Sends a gateway the requests for `count` items of one kind. */
type ProcessItems = (count: number) => Promise<void>

/** The memory of a gateway in relation to the items that it has processed, and the growth per item of each kind. */
export const measureSoak = async (
  postgres: TestPostgres,
  { count, databases, items }: SoakPlan,
  onProgress: (line: string) => void,
): Promise<string[]> => {
  const notes: string[] = []
  for (const database of databases) {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-soak-'))
    const receiver = await startCounter()
    const databaseSettings: Record<string, string> =
      database === 'postgres'
        ? {
            DATABASE_URL: (await createDatabase(postgres.url)).url,
            GATEWAY_SECRET_KEY: randomBytes(32).toString('hex'),
          }
        : { GATEWAY_DATA_DIR: folder }
    const settings = {
      ...databaseSettings,
      ...REPORTS_MEMORY,
      GATEWAY_CALLBACK_DEV_TARGETS: receiver.origin,
      // A long deadline, because a busy machine must not fail a measurement of memory.
      GATEWAY_DATABASE_DEADLINE_MS: '60000',
    }
    const server = await startRunServer(settings, withCallback(receiver.origin))
    try {
      const kinds = createProcessors(server, receiver.received)
      for (const item of items) {
        await kinds[item](Math.min(WARM_UP, count))
        const readings = [await readMemory(server)]
        for (const done of [count, 2 * count]) {
          onProgress(`${database}: ${done} ${item}`)
          await kinds[item](count)
          readings.push(await readMemory(server))
        }
        const note = describe(`${database}: ${item}`, count, readings)
        onProgress(note)
        notes.push(note)
      }
    } catch (error) {
      const code = await server.stop()
      throw new Error(`the soak failed; the gateway ended with ${code} and logged: ${server.log()}`, { cause: error })
    } finally {
      await server.stop()
      await receiver.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return notes
}

const withCallback = (origin: string): Bootstrap => ({
  ...withServices({ endpoint_id: 'ep_callback', assistant: { type: 'echo' } }),
  callbacks: [
    {
      callback_id: 'cb_soak',
      endpoint_id: 'ep_callback',
      url: `${origin}/callback`,
      events: ['run.completed'],
      secret: 'x'.repeat(64),
      enabled: true,
    },
  ],
})

/** A receiver of callbacks that counts them. */
const startCounter = async () => {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    request.resume().once('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => count,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const createProcessors = ({ baseUrl }: GatewayProcess, received: () => number): Record<SoakItem, ProcessItems> => {
  const client = createClient({ baseUrl, key: KEY, subject: SUBJECT })
  const port = Number(new URL(baseUrl).port)
  // On a busy machine, the first attempts may fail.
  const open = async (endpoint: string): Promise<string> =>
    (
      await eventually(
        () => client.createConversation({ endpoint_id: endpoint }),
        ({ status }) => status === 201,
      )
    ).body.conversation_id

  const runs = async (endpoint: string, count: number): Promise<void> => {
    const conversationIds = await Promise.all(Array.from({ length: AT_ONCE }, () => open(endpoint)))
    const plan = { port, apiKey: KEY, subject: SUBJECT, conversationIds, warmupMs: 0 }
    await loadRuns({ ...plan, measureMs: Number.MAX_SAFE_INTEGER, mostRuns: count })
  }
  return {
    runs: (count) => runs('ep_echo', count),
    callbacks: async (count) => {
      const before = received()
      await runs('ep_callback', count)
      await eventually(
        async () => received() - before,
        (arrived) => arrived >= count,
        600_000,
      )
    },
    streams: async (count) => {
      const conversation = await open('ep_echo')
      await repeat(count, async () => {
        const stream = await client.events(conversation)
        expectStatus(stream.status, 200)
        stream.close()
        await stream.ended
      })
    },
    refused: async (count) => {
      const conversation = await open('ep_echo')
      await repeat(count, (n) => sendRefused(client, baseUrl, conversation, n))
    },
    uploads: (count) => repeat(count, () => upload(client)),
    conversations: (count) => repeat(count, () => open('ep_echo')),
  }
}

/** Sends one of the requests that the gateway must refuse, each for a different reason, in turn. */
const sendRefused = async (client: Client, baseUrl: string, conversation: string, n: number): Promise<void> => {
  const unknown = createClient({ baseUrl, key: `gk_unknown_${randomUUID()}`, subject: `subject-${n}` })
  const refusals = [
    () => client.request('GET', `/api/v1/runs/run_${randomUUID()}`),
    () => unknown.snapshot(conversation),
    () => client.send(conversation, { text: '' }),
    () => client.send(conversation, { text: 'of another generation' }, 2),
    () => client.request('POST', '/api/v1/conversations', { rawBody: '{', idempotencyKey: randomUUID() }),
  ] as const
  const refuse = refusals[n % refusals.length] ?? refusals[0]
  const { status } = await refuse()
  if (status < 400 || status >= 500) throw new Error(`a request that must be refused was answered with ${status}`)
}

const upload = async (client: Client): Promise<void> => {
  const declared = { filename: 'soak.bin', content_type: 'application/octet-stream', size: UPLOAD_BYTES }
  const { body } = await client.post<{ resource_id: string }>('/api/v1/resources', declared)
  const path = `/api/v1/resources/${body.resource_id}`
  const content = { rawBody: new Uint8Array(UPLOAD_BYTES), headers: { 'content-type': 'application/octet-stream' } }
  expectStatus((await client.request('PUT', `${path}/content`, content)).status, 200)
  expectStatus((await client.request('DELETE', path)).status, 204)
}

const expectStatus = (status: number, expected: number): void => {
  if (status !== expected) throw new Error(`answered with ${status} instead of ${expected}`)
}

const repeat = async (count: number, work: (n: number) => Promise<unknown>): Promise<void> => {
  let next = 0
  const loop = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loop))
}

const describe = (name: string, count: number, readings: readonly MemoryReport[]): string => {
  const [before, once, twice] = readings
  if (before === undefined || once === undefined || twice === undefined) throw new Error('fewer than three readings')
  const column = (member: 'heapBytes' | 'residentBytes'): string => {
    const mib = [before, once, twice].map((reading) => (reading[member] / 1024 ** 2).toFixed(1)).join(' → ')
    return `${mib} MiB (${((twice[member] - once[member]) / count).toFixed(0)} bytes each)`
  }
  return `${name}, before, after ${count} and ${2 * count}: heap ${column('heapBytes')}, resident ${column('residentBytes')}`
}
