import { writeBootstrap } from '../test/support/bootstrap-file.ts'
import { createClient } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { startGateway } from '../test/support/gateway-process.ts'
import type { LoadResult } from './support/load-generator.ts'
import { flood, loadRuns } from './support/processes.ts'
import type { Effort, Row } from './support/ratios.ts'
import { median, medianOf, medianRatioOf } from './support/ratios.ts'
import type { RunLoadResult } from './support/run-load.ts'

const CONNECTIONS = 160
const WARMUP_MS = 500
const [SMALL, LARGE] = ['small', 'large'] as const
const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']
const keyOf = (tenant: string): string => `gk_${tenant}_${'x'.repeat(43)}`

/** Two applications that share one device, with the default limits of a gateway except the request rate. */
const BOOTSTRAP = {
  apps: [SMALL, LARGE].map((tenant) => ({
    app_id: `app_${tenant}`,
    owner_id: 'owner_bench',
    keys: [{ key: keyOf(tenant), scopes: SCOPES }],
  })),
  devices: [{ device_id: 'dev_bench' }],
  endpoints: [SMALL, LARGE].map((tenant) => ({
    endpoint_id: `ep_${tenant}`,
    app_id: `app_${tenant}`,
    device_id: 'dev_bench',
    assistant: { type: 'echo' },
    accepts: [],
  })),
}

/** The time of a small tenant's whole run while another tenant sends at full load, relative to its time alone. */
export const benchFairness = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startGateway({
    DATABASE_URL: url,
    GATEWAY_BOOTSTRAP: await writeBootstrap(BOOTSTRAP),
    GATEWAY_RATE_LIMIT_PER_SECOND: '0',
  })
  const planFor = async (tenant: string, conversations: number) => {
    const [apiKey, subject] = [keyOf(tenant), 'bench']
    const client = createClient({ baseUrl: server.baseUrl, key: apiKey, subject })
    const created = Array.from({ length: conversations }, () =>
      client.createConversation({ endpoint_id: `ep_${tenant}` }),
    )
    const conversationIds = (await Promise.all(created)).map(({ body }) => body.conversation_id)
    return { port: Number(new URL(server.baseUrl).port), apiKey, subject, conversationIds }
  }
  try {
    // A new conversation, so that its stream is empty.
    const runSmall = async () => loadRuns({ ...(await planFor(SMALL, 1)), warmupMs: WARMUP_MS, measureMs })
    const large = await planFor(LARGE, CONNECTIONS)
    const alone: RunLoadResult[] = []
    const beside: RunLoadResult[] = []
    const floods: LoadResult[] = []
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`a small tenant beside a large one, round ${round + 1} of ${rounds}`)
      alone.push(await runSmall())
      // The flood lasts a moment longer than the measurement.
      const flooding = flood({ ...large, connections: CONNECTIONS, warmupMs: 0, measureMs: measureMs + 3 * WARMUP_MS })
      beside.push(await runSmall())
      floods.push(await flooding)
    }
    const p50 = (results: readonly RunLoadResult[]): string => medianOf(results, 'p50Ms').toFixed(1)
    const perRound = (of: (result: LoadResult) => number): number => Math.round(median(floods.map(of)))
    return [
      {
        // The bound: twice the time alone, plus the wait for a slot, which a run occupies for about the time alone.
        name: `a small tenant's whole run beside a flood of ${CONNECTIONS} connections, p50, relative to its time alone`,
        ratio: medianRatioOf(beside, alone, 'p50Ms'),
        bound: { atMost: 3 },
        detail: `${p50(beside)} ms against ${p50(alone)} ms; the flood: ${perRound((r) => r.perSecond)}/s admitted, ${perRound((r) => r.refused)} refused`,
      },
    ]
  } finally {
    await server.stop()
  }
}
