import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as endings } from './endings.ts'
import { checks as lost } from './lost.ts'
import { checks as record } from './record.ts'
import { checks as serial } from './serial.ts'
import { checks as startDeadline } from './start-deadline.ts'
import { checks as states } from './states.ts'
import { checks as timeToRun } from './time-to-run.ts'
import { checks as transitions } from './transitions.ts'

export const checks: readonly ServerCheck[] = [
  ...record,
  ...serial,
  ...states,
  ...transitions,
  ...endings,
  ...startDeadline,
  ...lost,
  ...timeToRun,
]
