import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as answer } from './answer.ts'
import { checks as conversations } from './conversations.ts'
import { checks as fields } from './fields.ts'

export const checks: readonly ServerCheck[] = [...fields, ...conversations, ...answer]
