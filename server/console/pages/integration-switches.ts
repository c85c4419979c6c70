import { gateway } from '../data/gateway.ts'
import { confirm } from '../parts/dialogs.tsx'
import { askToRotateSecret } from './rotate-secret.ts'

/** The members of a callback configuration or webhook integration that its switches need. */
export interface Integration {
  readonly kind: 'callback' | 'webhook'
  readonly id: string
  readonly enabled: boolean
}

/** Texts and requests for enabling, disabling and rotating, by kind. */
export const INTEGRATIONS = {
  callback: {
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
    rotate: (id: string, overlap: { overlap_seconds: number }) => gateway().callbacks.rotateSecret(id, overlap),
  },
  webhook: {
    updating: 'updateWebhook',
    rotatingOperation: 'rotateWebhookSecret',
    disabling: ['Its events are answered with 403, so senders do not try again.'],
    enabling: ['Its events are accepted again.'],
    rotating: 'For one hour events that are signed with the old secret are accepted too.',
    update: (id: string, enabled: boolean) => gateway().webhooks.update(id, { enabled }),
    rotate: (id: string, overlap: { overlap_seconds: number }) => gateway().webhooks.rotateSecret(id, overlap),
  },
} as const

export const switchIntegration = ({ kind, id, enabled }: Integration, refresh: () => void): void => {
  const { disabling, enabling, update } = INTEGRATIONS[kind]
  confirm({
    title: `${enabled ? 'Disable' : 'Enable'} ${kind} ${id}?`,
    consequences: enabled ? disabling : enabling,
    action: `${enabled ? 'Disable' : 'Enable'} ${kind}`,
    isDangerous: enabled,
    run: async () => {
      await update(id, !enabled)
      refresh()
    },
    done: `${id} is ${enabled ? 'disabled' : 'enabled'}.`,
  })
}

export const rotateSecret = ({ kind, id }: Integration, refresh: () => void): void => {
  const { rotating, rotate } = INTEGRATIONS[kind]
  askToRotateSecret({ noun: kind, id, overlap: rotating, rotate: (overlap) => rotate(id, overlap) }, refresh)
}
