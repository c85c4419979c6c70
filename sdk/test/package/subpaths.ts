/** What can be imported, and where it may run. */
export const SUBPATHS: readonly { readonly name: string; readonly runs: 'anywhere' | 'node' }[] = [
  { name: '@conversation-gateway/sdk', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/callbacks', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/webhooks', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/admin', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/outbox', runs: 'anywhere' },
  { name: '@conversation-gateway/sdk/outbox/file', runs: 'node' },
  { name: '@conversation-gateway/sdk/testing', runs: 'anywhere' },
]
