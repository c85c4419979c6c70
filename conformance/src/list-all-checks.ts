import { type CheckInfo, describeCheck } from './catalogue.ts'
import type { Target } from './check.ts'
import { listChecks } from './targets/targets.ts'

export const TARGETS = ['server', 'client', 'receiver', 'worker'] as const satisfies readonly Target[]

export type { CheckInfo }

/** Every check of the suite, joined with its rules. */
export async function listAllChecks(): Promise<CheckInfo[]> {
  const lists = await Promise.all(TARGETS.map((target) => listChecks(target, { profile: 'reference' })))
  return lists.flat().map(describeCheck)
}
