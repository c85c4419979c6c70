import type { ServerCheck } from '../../targets/server/system.ts'
import { checks as admin } from './admin/index.ts'
import { checks as assistants } from './assistants/index.ts'
import { checks as attachments } from './attachments/index.ts'
import { checks as authentication } from './authentication/index.ts'
import { checks as callbacks } from './callbacks/index.ts'
import { checks as cancel } from './cancel/index.ts'
import { checks as conversations } from './conversations/index.ts'
import { checks as devices } from './devices/index.ts'
import { checks as directRuns } from './direct-runs/index.ts'
import { checks as errors } from './errors/index.ts'
import { checks as events } from './events/index.ts'
import { checks as general } from './general/index.ts'
import { checks as history } from './history/index.ts'
import { checks as idempotency } from './idempotency/index.ts'
import { checks as limits } from './limits/index.ts'
import { checks as listing } from './listing/index.ts'
import { checks as messages } from './messages/index.ts'
import { checks as operations } from './operations/index.ts'
import { checks as requests } from './requests/index.ts'
import { checks as reset } from './reset/index.ts'
import { checks as retention } from './retention/index.ts'
import { checks as running } from './running/index.ts'
import { checks as runs } from './runs/index.ts'
import { checks as scopes } from './scopes/index.ts'
import { checks as scripts } from './scripts/index.ts'
import { checks as signatures } from './signatures/index.ts'
import { checks as snapshots } from './snapshots/index.ts'
import { checks as streams } from './streams/index.ts'
import { checks as subjects } from './subjects/index.ts'
import { checks as versioning } from './versioning/index.ts'
import { checks as webhooks } from './webhooks/index.ts'

/** Every check of a server. */
export const serverChecks: readonly ServerCheck[] = [
  ...general,
  ...authentication,
  ...subjects,
  ...scopes,
  ...errors,
  ...requests,
  ...versioning,
  ...idempotency,
  ...conversations,
  ...listing,
  ...snapshots,
  ...history,
  ...limits,
  ...messages,
  ...runs,
  ...cancel,
  ...reset,
  ...operations,
  ...directRuns,
  ...streams,
  ...events,
  ...devices,
  ...assistants,
  ...scripts,
  ...retention,
  ...webhooks,
  ...signatures,
  ...attachments,
  ...callbacks,
  ...admin,
  ...running,
]
