import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as bounds } from './bounds.ts'
import { checks as budget } from './budget.ts'
import { checks as contents } from './contents.ts'
import { checks as watermark } from './watermark.ts'

export const checks: readonly ServerCheck[] = [...contents, ...watermark, ...bounds, ...budget]
