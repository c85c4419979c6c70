import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as pages } from './pages.ts'
import { checks as scope } from './scope.ts'

export const checks: readonly ServerCheck[] = [...scope, ...pages]
