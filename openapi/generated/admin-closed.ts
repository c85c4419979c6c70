// Generated from openapi/admin.yaml by `npm run generate`. Do not edit.

import type { Closed } from '../src/document/closed.ts'
import type * as open from './admin.ts'

export type * from './admin.ts'
export type Activity = Closed<open.Activity>
export type ActivityState = Closed<open.ActivityState>
export type App = Closed<open.App>
export type AppList = Closed<open.AppList>
export type AppState = Closed<open.AppState>
export type Approval = Closed<open.Approval>
export type ApprovalList = Closed<open.ApprovalList>
export type ApprovalState = Closed<open.ApprovalState>
export type CallbackDeliveryState = Closed<open.CallbackDeliveryState>
export type ConversationRecord = Closed<open.ConversationRecord>
export type ConversationRecordList = Closed<open.ConversationRecordList>
export type Delivery = Closed<open.Delivery>
export type DeliveryDetails = Closed<open.DeliveryDetails>
export type DeliveryList = Closed<open.DeliveryList>
export type DeliveryWithAttempts = Closed<open.DeliveryWithAttempts>
export type Device = Closed<open.Device>
export type DeviceList = Closed<open.DeviceList>
export type DeviceLoad = Closed<open.DeviceLoad>
export type DeviceState = Closed<open.DeviceState>
export type Erasure = Closed<open.Erasure>
export type ErasureState = Closed<open.ErasureState>
export type MessageRecord = Closed<open.MessageRecord>
export type MessageRecordList = Closed<open.MessageRecordList>
export type Overview = Closed<open.Overview>
export type Problem = Closed<open.Problem>
export type RunRecord = Closed<open.RunRecord>
export type RunRecordList = Closed<open.RunRecordList>
export type RunState = Closed<open.RunState>
export type RunTimeline = Closed<open.RunTimeline>
export type TimelineMessage = Closed<open.TimelineMessage>
export type TimelineStop = Closed<open.TimelineStop>
export type operations = Closed<open.operations>
