import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as api } from './api.ts'
import { checks as binding } from './binding.ts'

export const checks: readonly ServerCheck[] = [...api, ...binding]
