import manifest from '../../package.json' with { type: 'json' }

/** What a program brings itself when it uses the subpath that is for it. */
export const OPTIONAL_PEERS: string[] = Object.keys(manifest.peerDependencies)

/** What can be imported, and where it may run. */
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
