import * as admission from '../gateway/admin/admission.ts'
import * as approvals from '../gateway/admin/approvals.ts'
import * as apps from '../gateway/admin/apps.ts'
import * as devices from '../gateway/admin/devices.ts'
import * as endpoints from '../gateway/admin/endpoints.ts'
import * as keys from '../gateway/admin/keys.ts'
import * as events from '../gateway/admin/prune-events.ts'
import { cancelRun } from '../gateway/cancel-run.ts'
import type { GatewayContext } from '../gateway/context.ts'
import { createConversation } from '../gateway/create-conversation.ts'
import { createRun } from '../gateway/create-run.ts'
import * as records from '../gateway/read-records.ts'
import { resetConversation } from '../gateway/reset-conversation.ts'
import { sendMessage } from '../gateway/send-message.ts'
import type { StreamContext } from '../gateway/stream/open-stream.ts'
import { openEventStream } from '../gateway/stream/open-stream.ts'

/** Use cases with the context that they work with already given. */

export const bindUseCases = (context: GatewayContext, streams: StreamContext) => ({
  createConversation: createConversation.bind(null, context),
  listConversations: records.listConversations.bind(null, context),
  readConversation: records.readConversation.bind(null, context),
  resetConversation: resetConversation.bind(null, context),
  sendMessage: sendMessage.bind(null, context),
  readMessages: records.readMessages.bind(null, context),
  readRun: records.readRun.bind(null, context),
  createRun: createRun.bind(null, context),
  cancelRun: cancelRun.bind(null, context),
  readOperation: records.readOperation.bind(null, context),
  openEventStream: openEventStream.bind(null, streams),
})

/** What the public API offers. */
export type UseCases = ReturnType<typeof bindUseCases>

export const bindOperatorUseCases = (context: GatewayContext) => ({
  createApp: apps.createApp.bind(null, context),
  listApps: apps.listApps.bind(null, context),
  getApp: apps.getApp.bind(null, context),
  updateApp: apps.updateApp.bind(null, context),
  createKey: keys.createKey.bind(null, context),
  listKeys: keys.listKeys.bind(null, context),
  revokeKey: keys.revokeKey.bind(null, context),
  createDevice: devices.createDevice.bind(null, context),
  listDevices: devices.listDevices.bind(null, context),
  getDevice: devices.getDevice.bind(null, context),
  updateDevice: devices.updateDevice.bind(null, context),
  moveDevice: devices.moveDevice.bind(null, context),
  createEndpoint: endpoints.createEndpoint.bind(null, context),
  listEndpoints: endpoints.listEndpoints.bind(null, context),
  getEndpoint: endpoints.getEndpoint.bind(null, context),
  publishVersion: endpoints.publishVersion.bind(null, context),
  listApprovals: approvals.listApprovals.bind(null, context),
  decideApproval: approvals.decideApproval.bind(null, context),
  getAdmission: admission.getAdmission.bind(null, context),
  setAdmission: admission.setAdmission.bind(null, context),
  pruneEvents: events.pruneEvents.bind(null, context),
})

/** What the operator's API offers. */
export type OperatorUseCases = ReturnType<typeof bindOperatorUseCases>
