import { randomUUID } from 'node:crypto'
import type { Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { ROUTES, requestTo } from './api-routes.ts'
import type { Answer } from './client.ts'
import type { RunningGateway } from './running-gateway.ts'
import { createIntegration, deliver, question } from './webhook-sender.ts'

/** Test requests for every idempotent operation. Each prepared request has its own target. */

export interface Sending {
  /** Sends different content under the same key. Default: the original content. */
  readonly variant?: number
  readonly signal?: AbortSignal
}

/** Sends the prepared request, always with the same idempotency key, webhook ID or upload target. */
export type Send = (options?: Sending) => Promise<Answer>

export interface RepeatedRequest {
  readonly name: string
  readonly admitsRun: boolean
  /** Whether it can be sent with different content. */
  readonly varies: boolean
  /** Prepares a request to a new target. Returns the function that sends it. */
  prepare(running: RunningGateway): Promise<Send>
}

/** The members of the body that differ by variant. Other operations with a key have no variants. */
const VARIANTS: Readonly<Record<string, (variant: number) => object>> = {
  createConversation: (variant) => ({ conversation_key: `variant-${variant}-${randomUUID()}` }),
  sendMessage: (variant) => ({ input: { text: `variant ${variant}` } }),
  createRun: (variant) => ({ input: { text: `variant ${variant}` } }),
  createResource: (variant) => ({ filename: `variant-${variant}.txt` }),
  resetConversation: (variant) => ({ busy_policy: variant % 2 === 0 ? 'reject' : 'cancel_and_reset' }),
}

/** A conversation without unfinished work, and a queued run of another conversation. */
const freshRecords = async (running: RunningGateway, subject = 'subject-1') => {
  const client = running.client({ subject })
  const { conversation_id: busy } = (await client.createConversation()).body
  const { run_id } = (await client.send(busy, { text: 'queued' })).body
  const { conversation_id } = (await client.createConversation()).body
  return { conversation_id, run_id, endpoint_id: 'ep_script', operation_id: '', resource_id: '' }
}

const keyed = (operationId: string, more: (unique: string) => object = () => ({})): RepeatedRequest[] =>
  ROUTES.filter(({ id, info }) => info.idempotent && id === operationId).map((route) => {
    const extra = Object.keys(more('')).map((name) => ` with ${name}`)
    return {
      name: `${operationId}${extra.join('')}`,
      admitsRun: operationId === 'sendMessage' || operationId === 'createRun',
      varies: operationId in VARIANTS,
      prepare: async (running) => {
        const { method, path, body } = requestTo(route, await freshRecords(running))
        const idempotencyKey = randomUUID()
        const content = { ...body, ...more(randomUUID()) }
        return ({ variant, signal } = {}) => {
          const changed = variant === undefined ? content : { ...content, ...VARIANTS[operationId]?.(variant) }
          return running.client().request(method, path, { body: changed, idempotencyKey, signal })
        }
      },
    }
  })

const webhook = (name: string, configuration: Readonly<Record<string, unknown>>): RepeatedRequest => ({
  name: `a webhook that ${name}`,
  admitsRun: 'message_field' in configuration,
  varies: true,
  prepare: async (running) => {
    const subject = 'order-system'
    const unset = { message_field: undefined, conversation_key_field: undefined }
    const integration = await createIntegration(running, { ...unset, ...configuration })
    const event = { ...question(), generation: 1, ...(await freshRecords(running, subject)) }
    const id = randomUUID()
    return ({ variant, signal } = {}) => deliver(running, integration, { ...event, variant }, { id, signal })
  },
})

const BY_ID = { conversation_id_field: 'conversation_id', generation_field: 'generation' }
const MESSAGE = { message_field: 'customer.message' }

const UPLOAD: RepeatedRequest = {
  name: 'putResourceContent',
  admitsRun: false,
  varies: true,
  prepare: async (running) => {
    const declared = { filename: 'notes.txt', content_type: 'text/plain', size: 8 }
    const { resource_id } = (await running.client().post<Resource>('/api/v1/resources', declared)).body
    return ({ variant = 0, signal } = {}) => {
      const rawBody = String(variant).padStart(declared.size, '0')
      return running.client().request('PUT', `/api/v1/resources/${resource_id}/content`, { rawBody, signal })
    }
  },
}

export const REPEATED_REQUESTS: readonly RepeatedRequest[] = [
  ...ROUTES.filter(({ info }) => info.idempotent).flatMap(({ id }) => keyed(id)),
  ...keyed('createConversation', (conversation_key) => ({ conversation_key })),
  ...keyed('createRun', (conversation_key) => ({ conversation_key })),
  UPLOAD,
  webhook('starts a conversation', { action: 'new', ...MESSAGE }),
  webhook('sends a message by key', { action: 'message', ...MESSAGE, conversation_key_field: 'order.id' }),
  webhook('sends a message by ID', { action: 'message', match: 'id', ...MESSAGE, ...BY_ID }),
  webhook('resets', { action: 'reset', ...BY_ID }),
  webhook('cancels', { action: 'cancel', run_id_field: 'run_id' }),
]
