import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as surface } from './surface.ts'
import { checks as work } from './work.ts'

export const checks: readonly ServerCheck[] = [...surface, ...work]
