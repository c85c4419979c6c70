import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as availability } from './availability.ts'
import { checks as execution } from './execution.ts'
import { checks as losingADevice } from './losing-a-device.ts'

export const checks: readonly ServerCheck[] = [...availability, ...execution, ...losingADevice]
