import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as bodies } from './bodies.ts'
import { checks as events } from './events.ts'

export const checks: readonly ServerCheck[] = [...events, ...bodies]
