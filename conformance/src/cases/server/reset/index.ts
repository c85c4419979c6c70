import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as busy } from './busy.ts'
import { checks as keeps } from './keeps.ts'
import { checks as request } from './request.ts'
import { checks as resetting } from './resetting.ts'

export const checks: readonly ServerCheck[] = [...request, ...busy, ...resetting, ...keeps]
