import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, startProcess } from './support/processes.ts'
import type { Effort, Row } from './support/ratios.ts'
import { median, medianRatio } from './support/ratios.ts'
import type { BareRequest, ServerPlan, ServerReady } from './support/server-process.ts'

const CONVERSATIONS = 2000

/** Admissions over HTTP on the embedded database, against bare admissions that the same process executes directly. */
export const benchEmbedded = async (
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'))
  const plan: ServerPlan = { shape: 'gateway', database: { folder }, wakeOthers: true, conversations: CONVERSATIONS }
  const server = await startProcess<ServerReady>('server-process.ts', plan)
  try {
    const { port, population } = server.ready
    if (population === null) throw new Error('the embedded server did not populate its database')
    const { apiKey, subject, conversationIds } = population
    const served: number[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`embedded database, round ${round + 1} of ${rounds}`)
      const request: BareRequest = { concurrency: 32, measureMs }
      server.child.send(request)
      bare.push(Number((await once(server.child, 'message'))[0]))
      const result = await load({ port, connections: 32, warmupMs: 500, measureMs, apiKey, subject, conversationIds })
      served.push(result.perSecond)
    }
    return [
      {
        name: 'embedded database: admission, 32 connections, against the bare statement',
        ratio: medianRatio(served, bare),
        bound: { atLeast: 0.6 },
        detail: `${Math.round(median(served))}/s against ${Math.round(median(bare))}/s`,
      },
    ]
  } finally {
    await server.end()
    await rm(folder, { recursive: true, force: true })
  }
}
