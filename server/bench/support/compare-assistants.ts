import type { GatewayProcess } from '../../test/support/gateway-process.ts'
import { runLoad } from '../whole-run.ts'
import type { Effort, Row } from './ratios.ts'
import { medianOf, medianRatioOf } from './ratios.ts'
import type { RunLoadResult } from './run-load.ts'

/** Alternating rounds of runs that execute elsewhere, and of runs of `echo` in the gateway's process. */
export interface Compared {
  readonly elsewhere: readonly RunLoadResult[]
  readonly inProcess: readonly RunLoadResult[]
}

export const compareAssistants = async (
  server: GatewayProcess,
  endpointId: string,
  atOnce: number,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Compared> => {
  const elsewhere: RunLoadResult[] = []
  const inProcess: RunLoadResult[] = []
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`${endpointId}, ${atOnce} at once, round ${round + 1} of ${rounds}`)
    inProcess.push(await runLoad(server, atOnce, measureMs))
    elsewhere.push(await runLoad(server, atOnce, measureMs, endpointId))
  }
  return { elsewhere, inProcess }
}

type Milliseconds = 'p50Ms' | 'firstDeltaP50Ms'

/** The median of the rounds' ratios of runs per second. */
export const pairedRate = (name: string, { elsewhere, inProcess }: Compared, bound: Row['bound']): Row => ({
  name,
  ratio: medianRatioOf(elsewhere, inProcess, 'perSecond'),
  bound,
  detail: `${Math.round(medianOf(elsewhere, 'perSecond'))}/s against ${Math.round(medianOf(inProcess, 'perSecond'))}/s`,
})

/** Additional milliseconds compared with runs in the gateway's process. */
export const addedLatency = (
  name: string,
  { elsewhere, inProcess }: Compared,
  member: Milliseconds,
  bound: Row['bound'],
): Row => ({
  name: `${name}, p50, in ms more than in the process`,
  ratio: medianOf(elsewhere, member) - medianOf(inProcess, member),
  bound,
  detail: `${medianOf(elsewhere, member).toFixed(2)} ms against ${medianOf(inProcess, member).toFixed(2)} ms`,
})
