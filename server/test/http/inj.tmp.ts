import { fastify } from 'fastify'
import { issueKey } from '../../src/domain/api-key.ts'
import { systemClock } from '../../src/domain/clock.ts'
import { createAuthenticator } from '../../src/gateway/authenticate.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { fingerprint } from '../../src/domain/fingerprint.ts'
import { hash as oneShot } from 'node:crypto'
import canonicalize from 'canonicalize'
import doc from '@conversation-gateway/openapi/gateway.json' with { type: 'json' }
import { createValidator } from '@conversation-gateway/openapi/validator'
const { keyId, hash, token } = issueKey()
const body = { conversation_id: 'conv_0199d3a1c0de7f30a1b2c3d4e5f60718', generation: 1, message_id: 'msg_0199d3a1c0e27a44b5c6d7e8f9011223', run_id: 'run_0199d3a1c0e37b55c6d7e8f901122334', state: 'queued', event_cursor: 0 }
const bare = fastify({ logger: false })
const v = createValidator(doc).compile({ $ref: 'openapi#/components/schemas/SendMessage' })
bare.post('/api/v1/conversations/:conversation_id/messages', { schema: { body: { type: 'object' } }, validatorCompiler: () => (x: unknown) => v(x) as boolean }, async (_r, reply) => { reply.code(202); return body })
const metrics = createMetrics({ readGauges: async () => ({}) as never })
const mine = await createHttpServer({
  useCases: new Proxy({}, { get: () => async () => ({ kind: 'admitted', status: 202, replayed: false, body }) }) as never,
  authenticator: createAuthenticator({ query: async () => [{ keyId, appId: 'app_1', secretHash: hash, scopes: 'conversations:write', expiresAt: null, revokedAt: null, appState: 'active', pendingLimit: null, rateLimitPerSecond: null }] as never }, systemClock),
  operator: null, readReadiness: async () => ({}) as never, metrics, log: { debug() {}, info() {}, error(f: object) { console.error(f) } } as never, clock: systemClock,
})
await bare.ready(); await mine.ready()
const payload = JSON.stringify({ expected_generation: 1, input: { text: 'Where is my order? '.repeat(4) } })
const req = { method: 'POST' as const, url: '/api/v1/conversations/conv_0199d3a1c0de7f30a1b2c3d4e5f60718/messages', headers: { authorization: `Bearer ${token}`, 'x-service-subject': 'customer-4711', 'idempotency-key': 'key-1', 'content-type': 'application/json' }, payload }
const bench = async (name: string, f: () => unknown, n: number) => { for (let i = 0; i < n / 4; i++) await f(); const c = process.cpuUsage(); for (let i = 0; i < n; i++) await f(); const d = process.cpuUsage(c); console.log(name.padEnd(20), ((d.user + d.system) / n).toFixed(2), 'us') }
console.log((await mine.inject(req)).statusCode, (await bare.inject(req)).statusCode)
for (let r = 0; r < 1; r++) { await bench('inject mine', () => mine.inject(req), 40000) }
process.exit(0)
const b = JSON.parse(payload)
await bench('fingerprint', () => fingerprint({ method: 'POST', route: '/api/v1/conversations/{conversation_id}/messages', pathIds: { conversation_id: 'conv_0199d3a1c0de7f30a1b2c3d4e5f60718' }, body: b }), 200000)
await bench('canonicalize', () => canonicalize(['POST', '/api/v1/conversations/{conversation_id}/messages', { conversation_id: 'conv_0199d3a1c0de7f30a1b2c3d4e5f60718' }, b]), 200000)
const text = canonicalize(['POST', '/api/v1/conversations/{conversation_id}/messages', { conversation_id: 'conv_0199d3a1c0de7f30a1b2c3d4e5f60718' }, b])!
await bench('one shot', () => oneShot('sha256', text, 'buffer'), 200000)
await bench('metrics', () => metrics.count({ operationId: 'sendMessage', caller: null, tenant: null, code: null, admission: 'new' }, 202, 0.001), 200000)
await bench('nothing', () => 1, 200000)
process.exit(0)
