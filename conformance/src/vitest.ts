import { loadChecks } from './cases/load-checks.ts'
import type { ClientConfigSource } from './config/client-config.ts'
import type { ReceiverConfigSource } from './config/receiver-config.ts'
import type { ServerConfigSource } from './config/server-config.ts'
import type { KnownFailure } from './runner/baseline.ts'
import { registerSuite } from './runner/register-suite.ts'
import { type Selection, selectChecks } from './runner/selection.ts'
import { loadClient } from './targets/client/load-client.ts'
import { startClientSystem } from './targets/client/system.ts'
import { loadReceiver } from './targets/receiver/load-receiver.ts'
import { startReceiverSystem } from './targets/receiver/system.ts'
import { loadServer } from './targets/server/load-server.ts'
import { createServerSystem } from './targets/server/system.ts'

// Read here, since vitest wants its tests registered at once.
const [serverChecks, clientChecks, receiverChecks] = await Promise.all([
  loadChecks('server'),
  loadChecks('client'),
  loadChecks('receiver'),
])

/** What to run, and which failures are known. */
export interface SuiteChoice extends Selection {
  readonly baseline?: readonly KnownFailure[]
}

/**
 * Registers the checks of a gateway as tests of the vitest file that calls this. A broken MUST fails its test; what is not testable
 * with this configuration, what a SHOULD or MAY asks, and known failures are skipped with their reason.
 */
export function serverSuite(config: ServerConfigSource, choice: SuiteChoice = {}): void {
  registerSuite({
    name: 'gateway',
    checks: selectChecks(serverChecks, choice),
    start: async () => createServerSystem(await loadServer(config), { profile: choice.profile ?? 'core' }),
    baseline: choice.baseline ?? [],
  })
}

/** As `serverSuite`, for a client behind an adapter. */
export function clientSuite(config: ClientConfigSource, choice: SuiteChoice = {}): void {
  registerSuite({
    name: 'client',
    checks: selectChecks(clientChecks, choice),
    start: async () => startClientSystem(await loadClient(config)),
    baseline: choice.baseline ?? [],
  })
}

/** As `serverSuite`, for a receiver of callbacks. */
export function receiverSuite(config: ReceiverConfigSource, choice: SuiteChoice = {}): void {
  registerSuite({
    name: 'receiver',
    checks: selectChecks(receiverChecks, choice),
    start: async () => startReceiverSystem(await loadReceiver(config)),
    baseline: choice.baseline ?? [],
  })
}
