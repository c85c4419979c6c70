import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AttackPlan, AttackResult } from './attacker-process.ts'
import type { Scene } from './scene.ts'

const PROGRAM = fileURLToPath(new URL('attacker-process.ts', import.meta.url))

/** The attacker repeats a request until `work` ends; each connection sends it again as soon as it has the answer. */
export const during = async <Result>(
  scene: Scene,
  attack: Pick<AttackPlan, 'connections' | 'paths' | 'body'> & Partial<Pick<AttackPlan, 'method'>>,
  work: () => Promise<Result>,
): Promise<Result & AttackResult> => {
  const plan: AttackPlan = {
    method: 'POST',
    ...attack,
    port: Number(new URL(scene.gateway().baseUrl).port),
    headers: { Authorization: `Bearer ${scene.attacker.key}`, 'X-Service-Subject': scene.attacker.subject },
  }
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(plan))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  try {
    await lines.next()
    const result = await work()
    child.kill('SIGTERM')
    const last = await lines.next()
    if (last.done === true) throw new Error('the attacker ended without a result')
    const report: AttackResult = JSON.parse(last.value)
    return { ...result, ...report }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
