import type { Row } from '../bench/support/ratios.ts'
import { percentile } from '../bench/support/ratios.ts'
import { script } from '../test/support/client.ts'
import { during } from './attacker.ts'
import type { Effort } from './effort.ts'
import { timeRuns } from './other-tenant.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const HANGING_RUNS = 70
const FLOOD_CONNECTIONS = 160
const FLOODED_CONVERSATIONS = 40
/** How long a run of the flood occupies a slot. */
const SLOT_MS = 200
const TOLERANCE_MS = 50

const p99 = (durations: readonly number[]): number => percentile(durations, 0.99)

/** How much longer another tenant's runs take, from the send to the end, during an attack. */
export const attackWithRuns = async (
  scene: Scene,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const time = async (endpointId: string): Promise<number> =>
    p99(await timeRuns(scene.otherTenant, endpointId, effort.runs * effort.rounds))
  onProgress(`${scene.kind}: runs alone`)
  const alone = { own: await time(ENDPOINTS.own), shared: await time(ENDPOINTS.shared) }
  const rows: Row[] = []
  const row = (device: 'own' | 'shared', beside: string, ms: number, allowedMs: number): void => {
    rows.push({
      name: `${scene.kind}: another tenant's run on ${device === 'own' ? 'its own' : 'the shared'} device beside ${beside}, p99 in ms`,
      ratio: ms,
      bound: { atMost: 2 * alone[device] + allowedMs },
      detail: `alone ${alone[device].toFixed(0)} ms`,
    })
  }

  onProgress(`${scene.kind}: beside ${HANGING_RUNS} hanging runs`)
  const hanging = await startHangingRuns(scene)
  row('own', `${HANGING_RUNS} hanging runs`, await time(ENDPOINTS.own), TOLERANCE_MS)
  row('shared', `${HANGING_RUNS} hanging runs`, await time(ENDPOINTS.shared), TOLERANCE_MS + SLOT_MS)
  await Promise.all(hanging.map((runId) => scene.attacker.client().cancel(runId)))

  onProgress(`${scene.kind}: beside a flood of ${FLOOD_CONNECTIONS} connections`)
  const flooded = await Promise.all(
    Array.from({ length: FLOODED_CONVERSATIONS }, () => scene.attacker.createConversation(ENDPOINTS.attack)),
  )
  const flood = {
    connections: FLOOD_CONNECTIONS,
    paths: flooded.map((id) => `/api/v1/conversations/${id}/messages`),
    body: JSON.stringify({ expected_generation: 1, input: script({ sleep_ms: SLOT_MS }, { delta: 'flood' }) }),
  }
  const beside = await during(scene, flood, async () => ({
    own: await time(ENDPOINTS.own),
    shared: await time(ENDPOINTS.shared),
  }))
  row('own', 'a flood', beside.own, TOLERANCE_MS)
  row('shared', 'a flood', beside.shared, TOLERANCE_MS + SLOT_MS)
  return rows
}

const startHangingRuns = (scene: Scene): Promise<string[]> =>
  Promise.all(
    Array.from({ length: HANGING_RUNS }, async () => {
      const conversationId = await scene.attacker.createConversation(ENDPOINTS.attack)
      const { status, body } = await scene.attacker.client().send(conversationId, script({ hang: true }))
      if (status !== 202) throw new Error(`a hanging run was answered with ${status}`)
      return body.run_id
    }),
  )
