import { type CheckInfo, describeCheck } from '../kit/catalogue.ts'
import type { Target } from '../kit/check.ts'
import { loadChecks } from './load-checks.ts'

export const TARGETS = ['server', 'client', 'receiver', 'worker'] as const satisfies readonly Target[]

export type { CheckInfo }

/** Every check of the suite, joined with its rules. */
export async function listAllChecks(): Promise<CheckInfo[]> {
  const lists = await Promise.all(TARGETS.map((target) => loadChecks(target)))
  return lists.flatMap((checks) => checks.map(describeCheck))
}
