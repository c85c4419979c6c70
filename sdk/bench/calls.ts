import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Contender, createContenders } from './contenders.ts'
import { type Row, samplesOf, tableOf } from './rows.ts'

const IN_FLIGHT = 16

/** CPU time of this process and wall-clock time per call, in microseconds. Rounds of the contenders are interleaved. */
export async function benchCalls(effort: { rounds: number; calls: number }): Promise<Row[]> {
  const server = fork(fileURLToPath(new URL('./answering-server.ts', import.meta.url)))
  try {
    const port = await new Promise<number>((resolve) => server.once('message', (message) => resolve(Number(message))))
    const contenders = createContenders(`http://127.0.0.1:${port}`)
    const [cpu, wall] = [samplesOf(contenders), samplesOf(contenders)]
    for (const contender of contenders) await inFlight(contender, effort.calls)
    for (let round = 0; round < effort.rounds; round++) {
      for (const contender of contenders) {
        cpu.get(contender.name)?.push(await cpuMicrosPerCall(contender, effort.calls))
        wall.get(contender.name)?.push(await wallMicrosPerCall(contender, effort.calls / 4))
      }
    }
    return [
      ...tableOf(`CPU per call, ${IN_FLIGHT} in flight (µs)`, contenders, cpu, { over: 'openapi-fetch', atMost: 1 }),
      ...tableOf('time per call, one at a time (µs)', contenders, wall, { over: 'openapi-fetch', atMost: null }),
    ]
  } finally {
    server.kill()
  }
}

async function cpuMicrosPerCall(contender: Contender, calls: number): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await inFlight(contender, calls)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

async function wallMicrosPerCall({ call }: Contender, calls: number): Promise<number> {
  const startedAt = performance.now()
  for (let count = 0; count < calls; count++) await call()
  return ((performance.now() - startedAt) * 1000) / calls
}

async function inFlight({ call }: Contender, calls: number): Promise<void> {
  let left = calls
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}
