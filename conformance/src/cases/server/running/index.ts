import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as bootstrap } from './bootstrap.ts'
import { checks as probes } from './probes.ts'
import { checks as process } from './process.ts'

export const checks: readonly ServerCheck[] = [...process, ...bootstrap, ...probes]
