import { join } from 'node:path'
import { createClient } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { GatewayProcess } from '../test/support/gateway-process.ts'
import { measure, startContender } from './support/contender.ts'
import { cpuOfProcess } from './support/cpu-time.ts'
import type { LoadResult } from './support/load-generator.ts'
import type { Effort, Row } from './support/ratios.ts'
import { median, medianOf, medianRatio, medianRatioOf } from './support/ratios.ts'
import { KEY, SUBJECT, startRunServer, withServices } from './whole-run.ts'

const SERVICE = 'ep_structured'
const MODULE = join(import.meta.dirname, 'support/structured-module.js')
const CONVERSATIONS = 4

/** Reads a conversation's stream until this many runs have completed. Returns the number of events. */
const readEvents = async (gateway: GatewayProcess, conversationId: string, runs: number): Promise<number> => {
  const leaving = new AbortController()
  const { body } = await fetch(`${gateway.baseUrl}/api/v1/conversations/${conversationId}/events?after=0`, {
    headers: { authorization: `Bearer ${KEY}`, 'x-service-subject': SUBJECT, accept: 'text/event-stream' },
    signal: leaving.signal,
  })
  let [events, completed, tail] = [0, 0, '']
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (tail + piece).split('\n')
    tail = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('event: ')) events += 1
      if (line === 'event: run.completed') completed += 1
      if (line.includes('"run.failed"')) throw new Error(`a run of the benchmark failed: ${line}`)
    }
    if (completed === runs) break
  }
  leaving.abort()
  return events
}

/** Microseconds of CPU of the gateway for an event, from the assistant to the reader. */
const cpuOfEvents = async (gateway: GatewayProcess, activities: boolean, runs: number): Promise<number> => {
  const client = createClient({ baseUrl: gateway.baseUrl, key: KEY, subject: SUBJECT })
  const before = cpuOfProcess(gateway.pid)
  const events = await Promise.all(
    Array.from({ length: CONVERSATIONS }, async () => {
      const { conversation_id } = (await client.createConversation({ endpoint_id: SERVICE })).body
      const read = readEvents(gateway, conversation_id, runs)
      for (let sent = 0; sent < runs; sent += 1) await client.send(conversation_id, { data: { activities } })
      return read
    }),
  )
  const all = events.reduce((sum, each) => sum + each, 0)
  return ((cpuOfProcess(gateway.pid) - before) * 1000) / all
}

const FIELDS = Array.from({ length: 20 }, (_, index) => `field_${index}`)
/** A schema of 2 KiB, like that of an order with twenty fields. */
const INPUT_SCHEMA = {
  type: 'object',
  required: FIELDS,
  additionalProperties: false,
  properties: Object.fromEntries(
    FIELDS.map((name) => [
      name,
      { type: 'string', minLength: 1, maxLength: 40, pattern: '^[a-z ]+$', description: '…' },
    ]),
  ),
}
const DATA = Object.fromEntries(FIELDS.map((name) => [name, 'the quick brown fox']))

const CONNECTIONS = 32

const benchSchema = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Row> => {
  const checking = await startContender(postgres, 'gateway', { wakeOthers: true, inputSchema: INPUT_SCHEMA })
  const plain = await startContender(postgres, 'gateway', { wakeOthers: true })
  const seen = { checking: [] as LoadResult[], plain: [] as LoadResult[] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`admission with a schema, round ${round + 1} of ${rounds}`)
      seen.plain.push(await measure(plain, CONNECTIONS, measureMs, { data: DATA }))
      seen.checking.push(await measure(checking, CONNECTIONS, measureMs, { data: DATA }))
    }
  } finally {
    await checking.end()
    await plain.end()
  }
  const rate = (results: readonly LoadResult[]) => Math.round(medianOf(results, 'perSecond'))
  return {
    name: `admission with a schema of 2 KiB, ${CONNECTIONS} connections, relative to no schema`,
    ratio: medianRatioOf(seen.checking, seen.plain, 'perSecond'),
    bound: { atLeast: 0.95 },
    detail: `${rate(seen.checking)}/s against ${rate(seen.plain)}/s`,
  }
}

/** The CPU cost of activities relative to that of text, and the effect of a schema on admissions. */
export const benchStructured = async (
  postgres: TestPostgres,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { rounds, measureMs } = effort
  const { url } = await createDatabase(postgres.url)
  const gateway = await startRunServer(
    { DATABASE_URL: url },
    withServices({ endpoint_id: SERVICE, assistant: { type: 'module', path: MODULE } }),
  )
  const seen = { withActivities: [] as number[], textOnly: [] as number[] }
  const runs = Math.ceil(measureMs / 200)
  try {
    for (const activities of [false, true]) await cpuOfEvents(gateway, activities, runs)
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`activities, round ${round + 1} of ${rounds}`)
      seen.textOnly.push(await cpuOfEvents(gateway, false, runs))
      seen.withActivities.push(await cpuOfEvents(gateway, true, runs))
    }
  } finally {
    await gateway.stop()
  }
  return [
    {
      name: 'CPU of an event, 100 activities among 1,000 deltas, against deltas only',
      ratio: medianRatio(seen.withActivities, seen.textOnly),
      bound: { atMost: 1.1 },
      detail: `${median(seen.withActivities).toFixed(1)} µs against ${median(seen.textOnly).toFixed(1)} µs`,
    },
    await benchSchema(postgres, effort, onProgress),
  ]
}
