import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as byRoute } from './by-route.ts'

export const checks: readonly ServerCheck[] = [...byRoute]
