import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as generations } from './generations.ts'
import { checks as pages } from './pages.ts'
import { checks as records } from './records.ts'

export const checks: readonly ServerCheck[] = [...records, ...generations, ...pages]
