// Generated from the open enumerations of openapi/gateway.yaml by `npm run generate`. Do not edit.

const has = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value)

/** Every {@link ActivityState} that this version knows (D-15). */
export const ACTIVITY_STATES = ["running", "succeeded", "failed"] as const

/** A {@link ActivityState} that this version knows. */
export type KnownActivityState = (typeof ACTIVITY_STATES)[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnownActivityState = (value: string): value is KnownActivityState => has(ACTIVITY_STATES, value)

/** Every {@link ConversationState} that this version knows (D-15). */
export const CONVERSATION_STATES = ["active", "resetting"] as const

/** A {@link ConversationState} that this version knows. */
export type KnownConversationState = (typeof CONVERSATION_STATES)[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnownConversationState = (value: string): value is KnownConversationState => has(CONVERSATION_STATES, value)

/** Every {@link DeliveryState} that this version knows (D-15). */
export const DELIVERY_STATES = ["waiting_device", "device_received"] as const

/** A {@link DeliveryState} that this version knows. */
export type KnownDeliveryState = (typeof DELIVERY_STATES)[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnownDeliveryState = (value: string): value is KnownDeliveryState => has(DELIVERY_STATES, value)

/** Every {@link MessageRole} that this version knows (D-15). */
export const MESSAGE_ROLES = ["user", "assistant"] as const

/** A {@link MessageRole} that this version knows. */
export type KnownMessageRole = (typeof MESSAGE_ROLES)[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnownMessageRole = (value: string): value is KnownMessageRole => has(MESSAGE_ROLES, value)

/** Every {@link OperationState} that this version knows (D-15). */
export const OPERATION_STATES = ["pending", "waiting_device", "stopping", "succeeded", "failed"] as const

/** A {@link OperationState} that this version knows. */
export type KnownOperationState = (typeof OPERATION_STATES)[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnownOperationState = (value: string): value is KnownOperationState => has(OPERATION_STATES, value)

/** Every {@link ResourceStatus} that this version knows (D-15). */
export const RESOURCE_STATUSES = ["pending", "ready"] as const

/** A {@link ResourceStatus} that this version knows. */
export type KnownResourceStatus = (typeof RESOURCE_STATUSES)[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnownResourceStatus = (value: string): value is KnownResourceStatus => has(RESOURCE_STATUSES, value)

/** Every {@link RunState} that this version knows (D-15). */
export const RUN_STATES = ["queued", "running", "waiting_approval", "cancelling", "reconciling", "succeeded", "failed", "cancelled", "interrupted", "expired"] as const

/** A {@link RunState} that this version knows. */
export type KnownRunState = (typeof RUN_STATES)[number]

/** Whether this version knows the value; later gateways may send others. */
export const isKnownRunState = (value: string): value is KnownRunState => has(RUN_STATES, value)
