import manifest from '../../package.json' with { type: 'json' }

/** The peer dependencies, each with its own subpath. */
export const OPTIONAL_PEERS: string[] = Object.keys(manifest.peerDependencies)

/** The subpaths of the package with modules, and where they run. */
export const SUBPATHS: readonly { readonly name: string; readonly runs: 'anywhere' | 'node' }[] = [
  { name: '@conversation-gateway/sdk', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/callbacks', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/webhooks', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/admin', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/worker', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/outbox', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/outbox/file', runs: 'node' },
  { name: '@conversation-gateway/sdk/ai-sdk', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/opentelemetry', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/testing', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/testing/msw', runs: 'anywhere' },
]
