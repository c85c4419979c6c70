import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as conflicts } from './conflicts.ts'
import { checks as faults } from './faults.ts'
import { checks as invalid } from './invalid.ts'
import { checks as limits } from './limits.ts'
import { checks as problems } from './problems.ts'
import { checks as statuses } from './statuses.ts'
import { checks as unavailable } from './unavailable.ts'

export const checks: readonly ServerCheck[] = [
  ...invalid,
  ...conflicts,
  ...limits,
  ...unavailable,
  ...statuses,
  ...problems,
  ...faults,
]
