import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as incoming } from './incoming.ts'
import { checks as strictness } from './strictness.ts'

export const checks: readonly ServerCheck[] = [...incoming, ...strictness]
