import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as echo } from './echo.ts'
import { checks as kinds } from './kinds.ts'
import { checks as openai } from './openai.ts'

export const checks: readonly ServerCheck[] = [...kinds, ...echo, ...openai]
