import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as approvals } from './approvals.ts'
import { checks as callbacks } from './callbacks.ts'
import { checks as endings } from './endings.ts'
import { checks as envelope } from './envelope.ts'
import { checks as output } from './output.ts'
import { checks as runs } from './runs.ts'
import { checks as sequence } from './sequence.ts'

export const checks: readonly ServerCheck[] = [
  ...envelope,
  ...sequence,
  ...runs,
  ...output,
  ...approvals,
  ...endings,
  ...callbacks,
]
