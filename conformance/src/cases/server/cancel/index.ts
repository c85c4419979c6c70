import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as request } from './request.ts'
import { checks as stop } from './stop.ts'
import { checks as unconfirmed } from './unconfirmed.ts'

export const checks: readonly ServerCheck[] = [...request, ...stop, ...unconfirmed]
