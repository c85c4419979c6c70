import type { Driver } from './driver.ts'

/** The form of an ability's arguments and result in the control protocol, `openapi/control.yaml`. */
export interface AbilityForm {
  /**
   * The members of the request body for the arguments, in order. `…`: an object whose members become members of the
   * body.
   */
  readonly takes: readonly string[]
  /** The member of the answer that contains the result. `…`: the whole answer. Absent: no result. */
  readonly gives?: string
  /** Whether the gateway may refuse. A refusal is a result, not an error. */
  readonly refusable?: true
}

const SERVICE = { takes: ['endpoint_id'] } as const

/** Every ability of the protocol. */
export const ABILITIES = {
  pauseAdmission: { takes: [] },
  resumeAdmission: { takes: [] },
  moveClock: { takes: ['milliseconds'] },
  loseAnswers: { takes: ['count'] },
  restartServer: { takes: [] },
  shutDownServer: { takes: [] },
  createApp: { takes: ['…'], gives: '…' },
  disableApp: { takes: ['app'] },
  enableApp: { takes: ['app'] },
  limitApp: { takes: ['app', '…'] },
  createKey: { takes: ['scopes'], gives: 'key' },
  revokeKey: { takes: ['key'] },
  createService: { takes: ['…'], gives: '…' },
  publishVersion: { takes: ['endpoint_id', 'change'], gives: 'version' },
  takeDeviceOffline: SERVICE,
  bringDeviceOnline: SERVICE,
  pauseDevice: SERVICE,
  resumeDevice: SERVICE,
  disableDevice: SERVICE,
  enableDevice: SERVICE,
  limitDevice: { takes: ['endpoint_id', '…'] },
  decideApproval: { takes: ['approval_id', 'decision'] },
  expireEvents: { takes: ['conversation_id', 'up_to_seq'] },
  saveWebhook: { takes: ['…'], gives: '…', refusable: true },
  changeWebhook: { takes: ['integration_id', 'settings'], gives: '…', refusable: true },
  readWebhook: { takes: ['integration_id'], gives: 'record' },
  rotateWebhookSecret: { takes: ['integration_id', 'overlap_seconds'], gives: 'secret' },
  saveCallback: { takes: ['…'], gives: '…', refusable: true },
  changeCallback: { takes: ['settings', 'callback_id'], gives: '…', refusable: true },
  readCallback: { takes: ['callback_id'], gives: 'record' },
  rotateCallbackSecret: { takes: ['callback_id'], gives: '…' },
  listDeliveries: { takes: ['…'], gives: 'deliveries' },
  retryDelivery: { takes: ['delivery_id'], gives: '…', refusable: true },
} as const satisfies Record<Exclude<keyof Driver, 'scriptInput' | 'launch'>, AbilityForm>

export type Ability = keyof typeof ABILITIES

export const isAbility = (name: string): name is Ability => Object.hasOwn(ABILITIES, name)

export const formOf = (ability: Ability): AbilityForm => ABILITIES[ability]
