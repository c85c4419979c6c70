import type { GatewaySettings } from '../../src/gateway/context.ts'

/** Limits so high that a load measures admissions, not refusals. */
export const FAR_LIMITS: GatewaySettings = {
  queuedPerConversation: 1_000_000_000,
  pendingPerApp: 1_000_000_000,
  pendingPerDevice: 1_000_000_000,
  deviceOfflineMs: 1_000_000_000,
  snapshotBytes: 1024 * 1024,
  stopMs: 60_000,
  reconcileMs: 60_000,
  leaseMs: 15_000,
}
