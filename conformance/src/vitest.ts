import { loadChecks } from './checks/load-checks.ts'
import { startClientSystem } from './kit/client/system.ts'
import type { ClientConfigSource } from './kit/config/client-config.ts'
import type { ReceiverConfigSource } from './kit/config/receiver-config.ts'
import type { ServerConfigSource } from './kit/config/server-config.ts'
import { startReceiverSystem } from './kit/receiver/system.ts'
import { createServerSystem } from './kit/server/system.ts'
import type { KnownFailure } from './report/baseline.ts'
import { loadClient } from './run/load-client.ts'
import { loadReceiver } from './run/load-receiver.ts'
import { loadServer } from './run/load-server.ts'
import { registerSuite } from './run/register-suite.ts'
import { type Selection, selectChecks } from './run/selection.ts'

// Loaded here, because vitest requires tests to be registered synchronously.
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
 * Registers the checks of a gateway as tests of the vitest file that calls this. A broken MUST or a check without a
 * verdict fails its test. A broken SHOULD or MAY, a known failure and a check that is not testable with this
 * configuration are shown as skipped with their reason.
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
