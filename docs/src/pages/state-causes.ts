import type { CALLBACK_DELIVERY_TRANSITIONS } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import type { OPERATION_TRANSITIONS } from '@conversation-gateway/openapi/behaviour/operation-state'
import type { RUN_TRANSITIONS } from '@conversation-gateway/openapi/behaviour/run-state'

/** A few words for each transition of a table. The compiler reports a missing transition. */
type Causes<Table extends Readonly<Record<string, readonly string[]>>> = {
  readonly [From in keyof Table]: { readonly [To in Table[From][number]]: string }
}

export const RUN_CAUSES: Causes<typeof RUN_TRANSITIONS> = {
  queued: {
    running: 'a device takes it',
    cancelled: 'you cancel or reset',
    expired: 'it was not started in time',
  },
  running: {
    waiting_approval: 'asks for approval',
    cancelling: 'cancel',
    reconciling: 'worker lost',
    succeeded: 'the assistant finishes',
    failed: 'the assistant reports an error, or its time is over',
    interrupted: 'the gateway or its worker stopped, so no outcome can be reported',
  },
  waiting_approval: {
    running: 'approved',
    cancelling: 'cancel',
    reconciling: 'worker lost',
    failed: 'it was denied, or its time is over',
    interrupted: 'the gateway or its worker stopped, so no outcome can be reported',
  },
  cancelling: {
    cancelled: 'the device confirms the stop',
    succeeded: 'the assistant finished first',
    failed: 'the assistant failed first, or its time is over',
    interrupted: 'the gateway or its worker stopped, so no outcome can be reported',
    reconciling: 'stop not confirmed',
  },
  reconciling: {
    running: 'worker back',
    succeeded: 'the device reports this end',
    failed: 'the device reports this end, or its time is over',
    cancelled: 'the device reports this end',
    interrupted: 'no report within a minute',
  },
  succeeded: {},
  failed: {},
  cancelled: {},
  interrupted: {},
  expired: {},
}

export const OPERATION_CAUSES: Causes<typeof OPERATION_TRANSITIONS> = {
  pending: {
    waiting_device: 'device away',
    stopping: 'stop sent',
    succeeded: 'there was nothing to stop',
    failed: 'it could not begin',
  },
  waiting_device: {
    stopping: 'device back',
    succeeded: 'the work ended before a stop',
    failed: 'the device did not return',
  },
  stopping: {
    succeeded: 'everything has stopped',
    failed: 'no confirmation in time',
  },
  succeeded: {},
  failed: {},
}

export const DELIVERY_CAUSES: Causes<typeof CALLBACK_DELIVERY_TRANSITIONS> = {
  pending: {
    sending: 'attempt begins',
    expired: '24 hours are over',
    cancelled_config_changed: 'the callback was changed or disabled',
  },
  sending: {
    delivered: 'your receiver answered 2xx',
    pending: 'will be retried',
    needs_action: 'refused',
    expired: 'last attempt failed',
  },
  delivered: {},
  needs_action: { pending: 'manual retry' },
  expired: { pending: 'manual retry' },
  cancelled_config_changed: {},
}
