import type { Row } from '../bench/support/ratios.ts'
import { median } from '../bench/support/ratios.ts'
import { during } from './attacker.ts'
import type { Effort } from './effort.ts'
import type { HostileBody } from './hostile-bodies.ts'
import { HOSTILE_BODIES } from './hostile-bodies.ts'
import { timeReads } from './other-tenant.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const CONNECTIONS = 2

interface Measured {
  readonly name: string
  readonly ratio: number
  readonly answersByStatus: Readonly<Record<string, number>>
}

/** The time of another tenant's read while two connections send a hostile body, relative to its time alone. */
export const attackWithBodies = async (
  scene: Scene,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<{ readonly row: Row; readonly bodies: readonly Measured[] }> => {
  const attacked = await scene.attacker.createConversation(ENDPOINTS.attack)
  const read = await scene.otherTenant.createConversation(ENDPOINTS.own)
  const paths: Readonly<Record<HostileBody['path'], string>> = {
    messages: `/api/v1/conversations/${attacked}/messages`,
    conversations: '/api/v1/conversations',
    reset: `/api/v1/conversations/${attacked}/reset`,
  }
  const bodies: Measured[] = []
  for (const { name, path, build } of HOSTILE_BODIES) {
    onProgress(`${scene.kind}: ${name}`)
    const ratios: number[] = []
    let answersByStatus: Readonly<Record<string, number>> = {}
    for (let round = 0; round < effort.rounds; round += 1) {
      const alone = median(await timeReads(scene.otherTenant, read, effort.measureMs))
      const beside = await during(
        scene,
        { connections: CONNECTIONS, paths: [paths[path]], body: build() },
        async () => ({ durations: await timeReads(scene.otherTenant, read, effort.measureMs) }),
      )
      ratios.push(median(beside.durations) / alone)
      answersByStatus = beside.answersByStatus
    }
    bodies.push({ name, ratio: median(ratios), answersByStatus })
  }
  const worst = bodies.reduce((a, b) => (b.ratio > a.ratio ? b : a))
  return {
    bodies,
    row: {
      name: `${scene.kind}: another tenant's read beside ${CONNECTIONS} connections with hostile bodies, p50, relative to its time alone`,
      ratio: worst.ratio,
      bound: { atMost: 3 },
      detail: `worst: ${worst.name}, answered ${JSON.stringify(worst.answersByStatus)}`,
    },
  }
}
