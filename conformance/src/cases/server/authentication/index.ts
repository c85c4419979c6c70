import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as badKeys } from './bad-keys.ts'
import { checks as keyLife } from './key-life.ts'
import { checks as onlyForKeys } from './only-for-keys.ts'
import { checks as standing } from './standing.ts'
import { checks as transport } from './transport.ts'

export const checks: readonly ServerCheck[] = [...badKeys, ...onlyForKeys, ...keyLife, ...standing, ...transport]
