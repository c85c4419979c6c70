import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as records } from './records.ts'
import { checks as repeats } from './repeats.ts'
import { checks as use } from './use.ts'

export const checks: readonly ServerCheck[] = [...use, ...records, ...repeats]
