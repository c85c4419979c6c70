import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as businessKeys } from './business-keys.ts'
import { checks as creation } from './creation.ts'
import { checks as life } from './life.ts'
import { checks as record } from './record.ts'

export const checks: readonly ServerCheck[] = [...creation, ...businessKeys, ...record, ...life]
