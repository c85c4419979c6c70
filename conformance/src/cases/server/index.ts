import type { ServerCheck } from '../../targets/server/system.ts'
import { checks as adminErasures } from './admin/erasures.ts'
import { checks as adminSight } from './admin/sight.ts'
import { checks as adminSurface } from './admin/surface.ts'
import { checks as adminWork } from './admin/work.ts'
import { checks as assistantsEcho } from './assistants/echo.ts'
import { checks as assistantsHttp } from './assistants/http.ts'
import { checks as assistantsKinds } from './assistants/kinds.ts'
import { checks as assistantsOpenai } from './assistants/openai.ts'
import { checks as attachmentsRecords } from './attachments/records.ts'
import { checks as attachmentsRepeats } from './attachments/repeats.ts'
import { checks as attachmentsUse } from './attachments/use.ts'
import { checks as authentication } from './authentication/index.ts'
import { checks as callbacks } from './callbacks/index.ts'
import { checks as cancelRequest } from './cancel/request.ts'
import { checks as cancelStop } from './cancel/stop.ts'
import { checks as cancelUnconfirmed } from './cancel/unconfirmed.ts'
import { checks as conversations } from './conversations/index.ts'
import { checks as devicesAvailability } from './devices/availability.ts'
import { checks as devicesExecution } from './devices/execution.ts'
import { checks as devicesLosingADevice } from './devices/losing-a-device.ts'
import { checks as devicesSlots } from './devices/slots.ts'
import { checks as directRunsAnswer } from './direct-runs/answer.ts'
import { checks as directRunsConversations } from './direct-runs/conversations.ts'
import { checks as directRunsFields } from './direct-runs/fields.ts'
import { checks as errors } from './errors/index.ts'
import { checks as events } from './events/index.ts'
import { checks as general } from './general/index.ts'
import { checks as historyGenerations } from './history/generations.ts'
import { checks as historyPages } from './history/pages.ts'
import { checks as historyRecords } from './history/records.ts'
import { checks as idempotency } from './idempotency/index.ts'
import { checks as limits } from './limits/index.ts'
import { checks as listingPages } from './listing/pages.ts'
import { checks as listingScope } from './listing/scope.ts'
import { checks as messages } from './messages/index.ts'
import { checks as operationsRecord } from './operations/record.ts'
import { checks as operationsTransitions } from './operations/transitions.ts'
import { checks as requestsBodies } from './requests/bodies.ts'
import { checks as requestsHeaders } from './requests/headers.ts'
import { checks as requestsOrderOfChecks } from './requests/order-of-checks.ts'
import { checks as requestsReplayFirst } from './requests/replay-first.ts'
import { checks as reset } from './reset/index.ts'
import { checks as retentionBodies } from './retention/bodies.ts'
import { checks as retentionEvents } from './retention/events.ts'
import { checks as runningBootstrap } from './running/bootstrap.ts'
import { checks as runningProbes } from './running/probes.ts'
import { checks as runningProcess } from './running/process.ts'
import { checks as runningSecrets } from './running/secrets.ts'
import { checks as runs } from './runs/index.ts'
import { checks as scopesByRoute } from './scopes/by-route.ts'
import { checks as scriptsOutcomes } from './scripts/outcomes.ts'
import { checks as scriptsStepsInOrder } from './scripts/steps-in-order.ts'
import { checks as scriptsStopping } from './scripts/stopping.ts'
import { checks as signaturesIncoming } from './signatures/incoming.ts'
import { checks as signaturesStrictness } from './signatures/strictness.ts'
import { checks as snapshots } from './snapshots/index.ts'
import { checks as streams } from './streams/index.ts'
import { checks as structuredActivities } from './structured/activities.ts'
import { checks as structuredData } from './structured/data.ts'
import { checks as subjectsHeader } from './subjects/header.ts'
import { checks as subjectsUtf8 } from './subjects/utf-8.ts'
import { checks as subjectsValues } from './subjects/values.ts'
import { checks as versioningApi } from './versioning/api.ts'
import { checks as versioningBinding } from './versioning/binding.ts'
import { checks as webhooks } from './webhooks/index.ts'

/** Every check of a server. */
export const serverChecks: readonly ServerCheck[] = [
  ...general,
  ...authentication,
  ...structuredActivities,
  ...structuredData,
  ...subjectsHeader,
  ...subjectsUtf8,
  ...subjectsValues,
  ...scopesByRoute,
  ...errors,
  ...requestsBodies,
  ...requestsHeaders,
  ...requestsOrderOfChecks,
  ...requestsReplayFirst,
  ...versioningApi,
  ...versioningBinding,
  ...idempotency,
  ...conversations,
  ...listingScope,
  ...listingPages,
  ...snapshots,
  ...historyRecords,
  ...historyGenerations,
  ...historyPages,
  ...limits,
  ...messages,
  ...runs,
  ...cancelRequest,
  ...cancelStop,
  ...cancelUnconfirmed,
  ...reset,
  ...operationsRecord,
  ...operationsTransitions,
  ...directRunsFields,
  ...directRunsConversations,
  ...directRunsAnswer,
  ...streams,
  ...events,
  ...devicesAvailability,
  ...devicesExecution,
  ...devicesLosingADevice,
  ...devicesSlots,
  ...assistantsHttp,
  ...assistantsKinds,
  ...assistantsEcho,
  ...assistantsOpenai,
  ...scriptsStepsInOrder,
  ...scriptsOutcomes,
  ...scriptsStopping,
  ...retentionEvents,
  ...retentionBodies,
  ...webhooks,
  ...signaturesIncoming,
  ...signaturesStrictness,
  ...attachmentsUse,
  ...attachmentsRecords,
  ...attachmentsRepeats,
  ...callbacks,
  ...adminSurface,
  ...adminSight,
  ...adminWork,
  ...adminErasures,
  ...runningProcess,
  ...runningSecrets,
  ...runningBootstrap,
  ...runningProbes,
]
