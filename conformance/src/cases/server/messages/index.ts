import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as admission } from './admission.ts'
import { checks as attachments } from './attachments.ts'
import { checks as availability } from './availability.ts'
import { checks as inputShape } from './input-shape.ts'
import { checks as oddText } from './odd-text.ts'
import { checks as queueLimit } from './queue-limit.ts'
import { checks as startBefore } from './start-before.ts'
import { checks as startDeadline } from './start-deadline.ts'
import { checks as textSize } from './text-size.ts'

export const checks: readonly ServerCheck[] = [
  ...admission,
  ...inputShape,
  ...textSize,
  ...oddText,
  ...startBefore,
  ...startDeadline,
  ...attachments,
  ...queueLimit,
  ...availability,
]
