import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../test/support/client.ts'
import { createClient } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { GatewayProcess } from '../test/support/gateway-process.ts'
import { DONE, frame, startModelServer } from '../test/support/model-server.ts'
import { residentBytes } from './footprint.ts'
import type { BenchProcess } from './support/processes.ts'
import { startProcess } from './support/processes.ts'
import type { Row } from './support/ratios.ts'
import { median, percentile } from './support/ratios.ts'
import type { StreamReadersPlan, StreamReadersReport } from './support/stream-readers.ts'
import { KEY, SUBJECT, startRunServer, withServices } from './whole-run.ts'

const VIEWERS = 1000
/** The model's delay before its first piece, and between its pieces. */
const THINK_MS = 20
const PIECE_MS = 25
const PIECES = { firstOnly: 3, answer: 20 }
const ANSWERS = { firstOnly: 40, answer: 3 }
/** Concurrent requests. */
const AT_ONCE = 32

/** A model that stamps each piece with the time at which it writes it. */
const answerStamped = async (response: ServerResponse, pieces: number): Promise<void> => {
  await pause(THINK_MS)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let piece = 0; piece < pieces; piece += 1) {
    if (piece > 0) await pause(PIECE_MS)
    response.write(frame(`@${process.hrtime.bigint()}@ some words of an answer `))
  }
  response.end(frame(null, 'stop') + DONE)
}

const serviceOf = (endpointId: string, modelUrl: string) => ({
  endpoint_id: endpointId,
  assistant: { type: 'openai' as const, base_url: modelUrl, model: 'bench' },
})

type ReportOf<Kind> = Extract<StreamReadersReport, { readonly kind: Kind }>

const nextReport = <Kind extends StreamReadersReport['kind']>(
  { child }: BenchProcess<object>,
  kind: Kind,
): Promise<ReportOf<Kind>> =>
  new Promise((resolve, reject) => {
    const isWanted = (report: StreamReadersReport): report is ReportOf<Kind> => report.kind === kind
    const take = (report: StreamReadersReport): void => {
      if (!isWanted(report)) return
      child.off('message', take).off('exit', reject)
      resolve(report)
    }
    child.on('message', take).once('exit', reject)
  })

/** Starts readers with a stream for each of the conversations, and waits until all streams are open. */
const openStreams = async (
  { baseUrl }: GatewayProcess,
  conversationIds: readonly string[],
): Promise<BenchProcess<object>> => {
  const readers = await startProcess<object>('stream-readers.ts', null)
  const opened = nextReport(readers, 'opened')
  const port = Number(new URL(baseUrl).port)
  const plan: StreamReadersPlan = { port, apiKey: KEY, subject: SUBJECT, conversationIds }
  readers.child.send(plan)
  await opened
  return readers
}

/** The latencies of the pieces of answers to all readers: a list for each answer, in the order of arrival. */
const watchAnswers = async (
  client: Client,
  gateway: GatewayProcess,
  { endpointId, viewers, answers, pieces }: { endpointId: string; viewers: number; answers: number; pieces: number },
): Promise<(readonly number[])[]> => {
  const conversationId = (await client.createConversation({ endpoint_id: endpointId })).body.conversation_id
  const readers = await openStreams(gateway, Array<string>(viewers).fill(conversationId))
  const seen: (readonly number[])[] = []
  // The first answer is the warm-up.
  for (let answer = 0; answer <= answers; answer += 1) {
    const report = nextReport(readers, 'answered')
    await client.send(conversationId, { text: 'hello' })
    const { latenciesMs } = await report
    if (latenciesMs.length !== viewers * pieces)
      throw new Error(`${latenciesMs.length} of ${viewers * pieces} pieces arrived`)
    if (answer > 0) seen.push(latenciesMs)
  }
  await readers.end()
  return seen
}

/** The memory in KiB of an idle stream in the gateway's process, after each stream has had a ping. */
const measureIdle = async (client: Client, gateway: GatewayProcess, streams: number): Promise<number> => {
  const conversationIds: string[] = []
  let left = streams
  const create = async (): Promise<void> => {
    while (left-- > 0)
      conversationIds.push((await client.createConversation({ endpoint_id: 'ep_echo' })).body.conversation_id)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, create))
  const before = await residentBytes(gateway.pid)
  const readers = await openStreams(gateway, conversationIds)
  await nextReport(readers, 'pinged')
  const bytes = (await residentBytes(gateway.pid)) - before
  await readers.end()
  return bytes / conversationIds.length / 1024
}

/** Typical streams: many idle ones, the first piece of an answer, and one conversation with many readers. */
export const benchStreams = async (
  postgres: TestPostgres,
  { rounds, idle }: { readonly rounds: number; readonly idle: number },
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const models = await Promise.all(
    [PIECES.firstOnly, PIECES.answer].map((pieces) => startModelServer((response) => answerStamped(response, pieces))),
  )
  const [short = '', long = ''] = models.map(({ baseUrl }) => baseUrl)
  const gateway = await startRunServer(
    { DATABASE_URL: url },
    withServices(serviceOf('ep_short', short), serviceOf('ep_long', long)),
  )
  try {
    const client = createClient({ baseUrl: gateway.baseUrl, key: KEY, subject: SUBJECT })
    const first: number[] = []
    const many: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`from a model to its readers, round ${round + 1} of ${rounds}`)
      const alone = { endpointId: 'ep_short', viewers: 1, answers: ANSWERS.firstOnly, pieces: PIECES.firstOnly }
      const answers = await watchAnswers(client, gateway, alone)
      first.push(
        percentile(
          answers.map(([latencyMs = Number.NaN]) => latencyMs),
          0.5,
        ),
      )
      const together = { endpointId: 'ep_long', viewers: VIEWERS, answers: ANSWERS.answer, pieces: PIECES.answer }
      many.push(percentile((await watchAnswers(client, gateway, together)).flat(), 0.99))
    }
    onProgress(`${idle} idle streams`)
    const idleKiB = await measureIdle(client, gateway, idle)
    return [
      {
        name: 'first piece of a model to a reader, p50, in ms',
        ratio: median(first),
        bound: { atMost: 5 },
        detail: `since the model wrote it; ${ANSWERS.firstOnly} answers a round`,
      },
      {
        name: `pieces of a model to ${VIEWERS} readers of a conversation, p99, in ms`,
        ratio: median(many),
        bound: { atMost: 50 },
        detail: `since the model wrote them, ${PIECE_MS} ms apart`,
      },
      {
        name: `memory of an idle stream, ${idle} open, in KiB`,
        ratio: idleKiB,
        bound: { atMost: 20 },
        detail: 'of the process, with one stream per conversation, after a ping',
      },
    ]
  } finally {
    await gateway.stop()
    await Promise.all(models.map((model) => model.close()))
  }
}
