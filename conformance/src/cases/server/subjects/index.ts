import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as header } from './header.ts'
import { checks as values } from './values.ts'

export const checks: readonly ServerCheck[] = [...header, ...values]
