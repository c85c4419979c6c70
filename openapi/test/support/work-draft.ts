import type { ConversationWork, Draft, RunWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { openDraft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { isExecuting } from '@conversation-gateway/openapi/behaviour/run-state'

/** A conversation's unfinished work in memory, for the rules of `src/behaviour/`. */

const START = Date.parse('2026-01-01T00:00:00.000Z')
export const WINDOWS = { stopMs: 60_000, reconcileMs: 60_000 }
export const LEASE_MS = 15_000
export const at = (ms: number): Date => new Date(START + ms)

export const newRun = (position: number, state: RunWork['state'] = 'queued', more: Partial<RunWork> = {}): RunWork => ({
  runId: `run_${position}`,
  messageId: `msg_${position}`,
  generation: 1,
  position,
  startBefore: at(300_000),
  state,
  deliveryState: state === 'queued' ? 'waiting_device' : 'device_received',
  reply: null,
  hasWholeMessage: false,
  awaitsApproval: false,
  leaseExpiresAt: isExecuting(state) ? at(LEASE_MS) : null,
  reconcileCause: null,
  reconcileUntil: null,
  time: null,
  result: null,
  ...more,
})

export const newWork = (runs: RunWork[], more: Partial<ConversationWork> = {}): ConversationWork => ({
  appId: 'app',
  subject: 'subject',
  conversationId: 'conv',
  endpointId: 'ep',
  deviceId: 'dev',
  publishedVersion: 2,
  deviceAway: false,
  generation: 1,
  bindingVersion: 1,
  state: 'active',
  lastCursor: runs.length,
  runs,
  operations: [],
  ...more,
})

export const draftOf = (work: ConversationWork, ms = 0): Draft => openDraft(work, at(ms), WINDOWS)
