import type { Row } from '../bench/support/ratios.ts'
import { during } from './attacker.ts'
import type { AttackResult } from './attacker-process.ts'
import type { Effort } from './effort.ts'
import type { HostileBody } from './hostile-bodies.ts'
import { HOSTILE_BODIES } from './hostile-bodies.ts'
import { compareReads } from './other-tenant.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const CONNECTIONS = 2

interface Measured extends AttackResult {
  readonly name: string
  readonly ratio: number
}

/** The time of another tenant's read while two connections send a hostile body, relative to its time alone. */
export const attackWithBodies = async (
  scene: Scene,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<{ readonly row: Row; readonly bodies: readonly Measured[] }> => {
  const attacked = await scene.attacker.createConversation(ENDPOINTS.attack)
  const paths: Readonly<Record<HostileBody['path'], string>> = {
    messages: `/api/v1/conversations/${attacked}/messages`,
    conversations: '/api/v1/conversations',
    reset: `/api/v1/conversations/${attacked}/reset`,
  }
  const bodies: Measured[] = []
  for (const { name, path, build } of HOSTILE_BODIES) {
    onProgress(`${scene.kind}: ${name}`)
    const attack = { connections: CONNECTIONS, paths: [paths[path]], body: build() }
    bodies.push({ name, ...(await compareReads(scene, effort, (read) => during(scene, attack, read))) })
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
