import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as callbacks } from './callbacks.ts'
import { checks as messages } from './messages.ts'
import { checks as startWindows } from './start-windows.ts'
import { checks as streams } from './streams.ts'
import { checks as webhooks } from './webhooks.ts'
import { checks as work } from './work.ts'

export const checks: readonly ServerCheck[] = [
  ...messages,
  ...startWindows,
  ...webhooks,
  ...work,
  ...streams,
  ...callbacks,
]
