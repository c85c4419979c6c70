import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as headers } from './headers.ts'
import { checks as orderOfChecks } from './order-of-checks.ts'
import { checks as replayFirst } from './replay-first.ts'

export const checks: readonly ServerCheck[] = [...headers, ...orderOfChecks, ...replayFirst]
