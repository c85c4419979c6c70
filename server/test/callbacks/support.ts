import { randomUUID } from 'node:crypto'
import type {
  CallbackEventType,
  Delivery,
  DeliveryList,
  DeliveryWithAttempts,
  SavedCallback,
} from '@conversation-gateway/openapi/generated/admin-closed'
import type { GatewayOptions } from '../../src/app/gateway-options.ts'
import { DEFAULT_DELIVERY_SETTINGS } from '../../src/delivery/settings.ts'
import { ended, eventually, script } from '../support/client.ts'
import type { Receiver } from '../support/receiver.ts'
import type { RunningGateway } from '../support/running-gateway.ts'

/** Callbacks of a running gateway to a receiver on loopback. */

const ALL_EVENTS: CallbackEventType[] = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.interrupted',
  'run.expired',
  'approval.required',
]

/** A gateway that may send to the receivers, and looks for due deliveries every few milliseconds. */
export const sendingTo = (...receivers: readonly Receiver[]): Partial<GatewayOptions> => ({
  callbackTargets: {
    hosts: new Set(['orders.example.com']),
    devOrigins: new Set(receivers.map(({ origin }) => origin)),
  },
  delivery: { ...DEFAULT_DELIVERY_SETTINGS, pollMs: 10 },
})

/** A configuration with its own path at the receiver. */
export const newCallback = async (
  { operator }: RunningGateway,
  receiver: Receiver,
): Promise<SavedCallback & { readonly path: string }> => {
  const path = `/${randomUUID()}`
  const { status, body } = await operator.request<SavedCallback>('POST', '/admin/v1/callbacks', {
    body: {
      app_id: 'app_test',
      endpoint_id: 'ep_script',
      url: `${receiver.origin}${path}`,
      events: ALL_EVENTS,
    },
  })
  if (status !== 201) throw new Error(`no callback: ${status} ${JSON.stringify(body)}`)
  return { ...body, path }
}

export const newConversation = async (gateway: RunningGateway): Promise<string> =>
  (await gateway.client().createConversation()).body.conversation_id

/** Sends a message and waits until its run has ended; returns the ID of the run. */
export const runToEnd = async (gateway: RunningGateway, conversationId: string): Promise<string> => {
  const client = gateway.client()
  // A device is offline for some milliseconds after the clock has moved.
  const { body } = await eventually(
    () => client.send(conversationId, script({ succeed: { text: 'done' } })),
    ({ status }) => status === 202,
  )
  await ended(client, body.run_id)
  return body.run_id
}

export const deliveriesOf = async ({ operator }: RunningGateway, callbackId: string): Promise<readonly Delivery[]> =>
  (await operator.request<DeliveryList>('GET', `/admin/v1/deliveries?callback_id=${callbackId}`)).body.deliveries

export const readDelivery = async ({ operator }: RunningGateway, deliveryId: string): Promise<DeliveryWithAttempts> =>
  (await operator.request<DeliveryWithAttempts>('GET', `/admin/v1/deliveries/${deliveryId}`)).body

/** Waits until the only delivery of a configuration satisfies the condition. */
export const deliveryWhen = async (
  gateway: RunningGateway,
  callbackId: string,
  satisfied: (delivery: Delivery) => boolean,
): Promise<Delivery> => {
  const deliveries = await eventually(
    () => deliveriesOf(gateway, callbackId),
    ([first]) => first !== undefined && satisfied(first),
  )
  const [first] = deliveries
  if (first === undefined) throw new Error('there is no delivery')
  return first
}
