import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as record } from './record.ts'
import { checks as transitions } from './transitions.ts'

export const checks: readonly ServerCheck[] = [...record, ...transitions]
