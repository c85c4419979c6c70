import { gateway } from '../data/gateway.ts'
import { confirm } from '../parts/dialogs.tsx'

/** The members of a callback configuration or webhook integration that its switches need. */
export interface Integration {
  readonly kind: 'callback' | 'webhook'
  readonly id: string
  readonly enabled: boolean
}

/** Texts and requests for enabling, disabling and rotating, by kind. */
export const INTEGRATIONS = {
  callback: {
    noun: 'callback',
    updating: 'updateCallback',
    rotatingOperation: 'rotateCallbackSecret',
    disabling: [
      'Nothing more is sent to its receiver.',
      'Deliveries that have not arrived are cancelled; enabling it again does not bring them back.',
    ],
    enabling: ['Events from now on are sent to its receiver.'],
    rotating:
      'Callbacks are signed with the old secret for one more hour. Give the receiver the new secret in this time.',
    update: (id: string, enabled: boolean) => gateway().callbacks.update(id, { enabled }),
    rotate: (id: string) => gateway().callbacks.rotateSecret(id, { overlap_seconds: OVERLAP_SECONDS }),
  },
  webhook: {
    noun: 'webhook',
    updating: 'updateWebhook',
    rotatingOperation: 'rotateWebhookSecret',
    disabling: ['Its events are answered with 403, so senders do not try again.'],
    enabling: ['Its events are accepted again.'],
    rotating: 'For one hour events that are signed with the old secret are accepted too.',
    update: (id: string, enabled: boolean) => gateway().webhooks.update(id, { enabled }),
    rotate: (id: string) => gateway().webhooks.rotateSecret(id, { overlap_seconds: OVERLAP_SECONDS }),
  },
} as const

const OVERLAP_SECONDS = 3600

export const switchIntegration = ({ kind, id, enabled }: Integration, refresh: () => void): void => {
  const { noun, disabling, enabling, update } = INTEGRATIONS[kind]
  confirm({
    title: `${enabled ? 'Disable' : 'Enable'} ${noun} ${id}?`,
    consequences: enabled ? disabling : enabling,
    action: `${enabled ? 'Disable' : 'Enable'} ${noun}`,
    isDangerous: enabled,
    run: async () => {
      await update(id, !enabled)
      refresh()
      return null
    },
    done: `${id} is ${enabled ? 'disabled' : 'enabled'}.`,
  })
}

export const rotateSecret = ({ kind, id }: Integration, refresh: () => void): void => {
  const { noun, rotating, rotate } = INTEGRATIONS[kind]
  confirm({
    title: `Rotate the secret of ${id}?`,
    consequences: [
      'A new secret is made and shown once.',
      rotating,
      'If the secret has leaked, rotate it on the command line without an overlap: the old secret then stops working at once.',
    ],
    action: 'Rotate secret',
    run: async () => {
      const { secret } = await rotate(id)
      refresh()
      return { secret, title: `New secret of ${noun} ${id}` }
    },
    done: 'The secret was rotated.',
  })
}
