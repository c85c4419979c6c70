import { Client as LanggraphClient } from '@langchain/langgraph-sdk'
import { createParser } from 'eventsource-parser'
import OpenAI from 'openai'
import { createClient } from '../src/index.ts'
import { type Row, samplesOf, tableOf } from './rows.ts'

const RUN = 'run_0199d3a1c0e37b55c6d7e8f901122334'
const KEY = 'gk_bench_0000000000000000000000000000'

/** A client that reads a whole stream and counts its events. */
interface Contender {
  readonly name: string
  readonly read: (stream: () => Response) => Promise<number>
}

const CONTENDERS: readonly Contender[] = [
  {
    name: 'eventsource-parser',
    async read(stream) {
      let count = 0
      const parser = createParser({
        onEvent({ data }) {
          if (JSON.parse(data) !== null) count += 1
        },
      })
      const decoder = new TextDecoder()
      for await (const chunk of stream().body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
      return count
    },
  },
  {
    name: 'conversation-gateway',
    async read(stream) {
      const client = createClient({
        baseUrl: 'http://127.0.0.1',
        apiKey: KEY,
        subject: 'bench',
        fetch: async () => stream(),
      })
      let count = 0
      for await (const _event of client.runs.events(RUN)) count += 1
      return count
    },
  },
  {
    name: 'openai',
    async read(stream) {
      const client = new OpenAI({ baseURL: 'http://127.0.0.1', apiKey: KEY, fetch: async () => stream() })
      let count = 0
      const events = await client.chat.completions.create({ model: 'bench', messages: [], stream: true })
      for await (const _event of events) count += 1
      return count
    },
  },
  {
    name: 'langgraph-sdk',
    async read(stream) {
      const client = new LanggraphClient({
        apiUrl: 'http://127.0.0.1',
        apiKey: KEY,
        callerOptions: { fetch: async () => stream() },
      })
      let count = 0
      for await (const _event of client.runs.joinStream('thread', RUN)) count += 1
      return count
    },
  },
]

/**
 * CPU time of this process to decode a generated stream, with its JSON, in nanoseconds per event. Rounds are
 * interleaved.
 */
export async function benchDecoding(effort: { rounds: number; events: number }): Promise<Row[]> {
  return [
    ...(await benchChunks('CPU to decode, 16 KiB a chunk (ns an event)', 16 * 1024, 1.2, effort)),
    ...(await benchChunks('CPU to decode, one event a chunk (ns an event)', null, 1.4, effort)),
  ]
}

async function benchChunks(
  table: string,
  chunkBytes: number | null,
  atMost: number,
  { rounds, events }: { rounds: number; events: number },
) {
  const chunks = chunkBytes === null ? frames(events) : rechunk(frames(events), chunkBytes)
  const samples = samplesOf(CONTENDERS)
  for (let round = -1; round < rounds; round++) {
    for (const { name, read } of CONTENDERS) {
      globalThis.gc?.()
      const before = process.cpuUsage()
      const count = await read(() => replay(chunks))
      const { user, system } = process.cpuUsage(before)
      const nanos = ((user + system) * 1000) / events
      if (count !== events) throw new Error(`${name} saw ${count} of ${events} events`)
      // The first round warms up.
      if (round >= 0) samples.get(name)?.push(nanos)
    }
  }
  return tableOf(table, CONTENDERS, samples, { over: 'eventsource-parser', atMost })
}

const encoder = new TextEncoder()

/** The deltas of a run and the event that ends it, framed as the gateway sends them. */
function frames(count: number): Uint8Array<ArrayBuffer>[] {
  const envelope = {
    conversation_id: 'conv_0199d3a1c0de7f30',
    generation: 1,
    run_id: RUN,
    message_id: 'msg_0199d3a1c0e27a44',
  }
  return Array.from({ length: count }, (_none, index) => {
    const seq = index + 1
    const isLast = seq === count
    const type = isLast ? 'run.completed' : 'assistant.delta'
    const payload = isLast ? { state: 'succeeded', result: { text: '' } } : { text: 'a few words ', index }
    const data = JSON.stringify({ ...envelope, event_id: `evt_${seq}`, seq, type, payload })
    return encoder.encode(`id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`)
  })
}

function rechunk(parts: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer>[] {
  const all = new Uint8Array(Buffer.concat(parts))
  return Array.from({ length: Math.ceil(all.length / size) }, (_none, index) =>
    all.slice(index * size, (index + 1) * size),
  )
}

function replay(chunks: readonly Uint8Array<ArrayBuffer>[]): Response {
  let next = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const chunk = chunks[next++]
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
