import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { ModelConfig, ServerConfig, WebhookConfig, WebhooksConfig } from '../../kit/config/server-config.ts'
import { toSnake } from '../../kit/config/wire-form.ts'

/** All records that the suite needs, as the gateway's bootstrap file and as the suite's configuration. */
export interface ReferenceSetup {
  /** @param callbackSecret The current secret of the callbacks, which may have been rotated. */
  bootstrap(callbackSecret: string): object
  readonly apps: ServerConfig['apps']
  readonly services: ServerConfig['services'] & { readonly sameDevice: string; readonly otherDevice: string }
  /** The service whose events are delivered as callbacks. */
  readonly callbackService: string
  readonly model: Pick<ModelConfig, 'service' | 'model' | 'key'>
  readonly webhooks: WebhooksConfig
  readonly callbackId: string
  readonly callbackSecret: string
  /** The device of each service. */
  readonly devices: Map<string, string>
}

export const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] as const

const CALLBACK_EVENTS = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.interrupted',
  'run.expired',
  'approval.required',
]

const secret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('hex')}`
const apiKey = (name: string): string => `gk_${name}_${randomBytes(32).toString('base64url')}`

/** The gateway's environment variable for the key of the model server. */
export const MODEL_KEY_VARIABLE = 'CONFORMANCE_MODEL_KEY'

export interface ReferenceUrls {
  /** Address of the suite's receiver. */
  readonly callbackUrl: string
  /** Address of the suite's model server. */
  readonly modelUrl: string
}

export function createReferenceSetup({ callbackUrl, modelUrl }: ReferenceUrls): ReferenceSetup {
  const scopedKeys = Object.fromEntries(
    [...SCOPES.map((scope) => [scope]), ...SCOPES.map((scope) => SCOPES.filter((one) => one !== scope))].map(
      (scopes, at) => [scopes.join(' '), apiKey(`scoped${at}`)],
    ),
  )
  const apps = {
    first: { key: apiKey('first'), appId: 'app_first', scopedKeys },
    second: { key: apiKey('second'), appId: 'app_second' },
  }
  const services = {
    main: 'ep_main',
    sameDevice: 'ep_same_device',
    otherDevice: 'ep_other_device',
    foreign: 'ep_foreign',
    echo: 'ep_echo',
    module: 'ep_module',
  }
  const model = { service: 'ep_openai', model: 'small-1', key: secret('model') }
  const callbackService = 'ep_callbacks'
  const devices = new Map([
    [callbackService, 'dev_callbacks'],
    [services.main, 'dev_main'],
    [services.sameDevice, 'dev_main'],
    [services.otherDevice, 'dev_other'],
    [services.foreign, 'dev_foreign'],
    ...[services.echo, services.module, model.service].map((service) => [service, 'dev_assistants'] as const),
  ])
  const endpoint = (endpointId: string, appId: string, assistant: object | null = { type: 'script' }) => ({
    endpoint_id: endpointId,
    app_id: appId,
    device_id: devices.get(endpointId),
    ...(assistant === null ? {} : { assistant }),
    accepts: ['text/*', 'application/json'],
  })
  const callbackSecret = secret('whsec')
  const webhooks = createWebhooks(services.main)
  const toKey = ([key, scopes]: readonly [string, readonly string[]]) => ({ key, scopes })
  return {
    apps,
    services,
    callbackService,
    model,
    devices,
    webhooks: webhooks.config,
    callbackId: 'cb_suite',
    callbackSecret,
    bootstrap: (secretNow) => ({
      apps: [
        {
          app_id: apps.first.appId,
          owner_id: 'owner_first',
          keys: [
            [apps.first.key, SCOPES] as const,
            ...Object.entries(scopedKeys).map(([scopes, key]) => [key, scopes.split(' ')] as const),
          ].map(toKey),
        },
        {
          app_id: apps.second.appId,
          owner_id: 'owner_second',
          keys: [toKey([apps.second.key, SCOPES])],
        },
      ],
      devices: [...new Set(devices.values())].map((deviceId) => ({ device_id: deviceId })),
      endpoints: [
        endpoint(services.main, apps.first.appId),
        endpoint(services.sameDevice, apps.first.appId),
        endpoint(services.otherDevice, apps.first.appId),
        endpoint(callbackService, apps.first.appId),
        endpoint(services.foreign, apps.second.appId),
        endpoint(services.echo, apps.first.appId, null),
        endpoint(services.module, apps.first.appId, {
          type: 'module',
          path: fileURLToPath(new URL('./assistant-module.mjs', import.meta.url)),
        }),
        endpoint(model.service, apps.first.appId, {
          type: 'openai',
          base_url: modelUrl,
          model: model.model,
          api_key_env: MODEL_KEY_VARIABLE,
        }),
      ],
      webhooks: webhooks.bootstrap,
      callbacks: [
        {
          callback_id: 'cb_suite',
          endpoint_id: callbackService,
          url: callbackUrl,
          events: CALLBACK_EVENTS,
          secret: secretNow,
          enabled: true,
        },
      ],
    }),
  }
}

const INPUT_FIELDS = { message_field: 'event.text', data_field: 'event.data', resource_ids_field: 'event.resources' }
const BY_KEY = { match: 'key', conversation_key_field: 'conversation.key' }
const CONVERSATION_FIELDS = { conversation_id_field: 'conversation.id', generation_field: 'conversation.generation' }

/** The fields of each integration other than service, subject, event type and secret. */
const INTEGRATIONS = {
  new: { action: 'new', ...INPUT_FIELDS },
  messageByKey: { action: 'message', ...INPUT_FIELDS, ...BY_KEY },
  messageById: { action: 'message', ...INPUT_FIELDS, match: 'id', ...CONVERSATION_FIELDS },
  resetReject: { action: 'reset', ...CONVERSATION_FIELDS, busy_policy: 'reject' },
  resetCancel: { action: 'reset', ...CONVERSATION_FIELDS, busy_policy: 'cancel_and_reset' },
  cancel: { action: 'cancel', run_id_field: 'run.id' },
  disabled: { action: 'message', ...INPUT_FIELDS, ...BY_KEY, enabled: false },
  deepPaths: {
    action: 'message',
    message_field: 'a.b.c.d.e',
    match: 'key',
    conversation_key_field: 'k',
    event_type_field: 't',
  },
} as const satisfies Record<keyof WebhooksConfig, object>

function createWebhooks(endpointId: string): {
  config: Record<keyof WebhooksConfig, WebhookConfig>
  bootstrap: object[]
} {
  const subject = 'webhook-subject'
  const entries = Object.entries(INTEGRATIONS).map(([name, fields]) => {
    const integrationId = `wh_${toSnake(name)}`
    const own = secret('whsec')
    return {
      name,
      config: { integrationId, secret: own, subject },
      bootstrap: {
        integration_id: integrationId,
        app_id: 'app_first',
        endpoint_id: endpointId,
        secret: own,
        subject,
        event_type_field: 'event.type',
        event_types: ['conformance.event', 'conformance.other'],
        ...fields,
      },
    }
  })
  return {
    config: Object.fromEntries(entries.map(({ name, config }) => [name, config])) as Record<
      keyof WebhooksConfig,
      WebhookConfig
    >,
    bootstrap: entries.map(({ bootstrap }) => bootstrap),
  }
}
