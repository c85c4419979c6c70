import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SDK_FOLDER } from '../../scripts/build.ts'
import { PACK_DEADLINE_MS, packSdk } from '../../scripts/packed-sdk.ts'
import { runProgram } from '../../scripts/run-program.ts'
import { SUBPATHS } from './subpaths.ts'

const { resolve } = createRequire(import.meta.url)
const COMPILERS = { current: resolve('typescript/bin/tsc'), least: resolve('typescript-least/bin/tsc') }

const USE = `
import { ApiError, createClient, isApiError, type EventEnvelope, type ReplayHandle } from '@conversation-gateway/sdk'
import { createAdminClient } from '@conversation-gateway/sdk/admin'
import { createReceiver, memoryCallbackStore, toFetchHandler, verifyCallback } from '@conversation-gateway/sdk/callbacks'
import { memoryOutbox } from '@conversation-gateway/sdk/outbox'
import { fileOutbox } from '@conversation-gateway/sdk/outbox/file'
import vectors from '@conversation-gateway/sdk/vectors.json' with { type: 'json' }
import { createWebhookSender } from '@conversation-gateway/sdk/webhooks'

const client = createClient({ baseUrl: 'https://gateway.example.com', apiKey: 'gk_1', subject: 's', outbox: memoryOutbox() })
const outcome = await client.messages.send('conv_1', { expected_generation: 1, input: { text: 'Hello' } }).outcome()
if (outcome.kind === 'admitted') outcome.data.run_id satisfies string
if (outcome.kind === 'unknown') outcome.handle satisfies ReplayHandle<'sendMessage'>
if (outcome.kind === 'refused') outcome.error.requestId satisfies string | null
for await (const event of client.conversations.events('conv_1')) event satisfies EventEnvelope
for await (const item of client.conversations.watch('conv_1')) item.state.position satisfies number
const apps = await createAdminClient({ baseUrl: 'https://gateway.example.com', adminToken: 't' }).apps.list()
apps.apps satisfies readonly unknown[]
export const handle: (request: Request) => Promise<Response> = toFetchHandler(
  createReceiver({ secret: 's', store: memoryCallbackStore(), onEvent: ({ event_id }) => void event_id.length }),
)
export const sender = createWebhookSender({ url: 'https://gateway.example.com/x', secret: 's' })
export const code = (error: unknown) => (isApiError(error) ? (error satisfies ApiError).code : null)
export const first: string | undefined = vectors[0]?.name
export { fileOutbox, verifyCallback }
// @ts-expect-error a member that the contract does not have
await client.messages.send('conv_1', { expected_generation: 1, input: { text: 'Hello' }, colour: 'red' })
`

const USE_OF_PEERS = `
import { createClient } from '@conversation-gateway/sdk'
import { resumeChat, toUIMessageStreamResponse } from '@conversation-gateway/sdk/ai-sdk'
import { openTelemetry } from '@conversation-gateway/sdk/opentelemetry'
import { createTestGateway, type TestGateway } from '@conversation-gateway/sdk/testing'
import { handlersOf } from '@conversation-gateway/sdk/testing/msw'
export const gateway: TestGateway = createTestGateway()
export const handlers: { log(response: object): unknown }[] = handlersOf(gateway)
export const client = createClient({ baseUrl: 'https://gateway.example.com', apiKey: 'gk_1', tracing: openTelemetry() })
export const resume = async (id: string): Promise<Response> => toUIMessageStreamResponse(await resumeChat(client, id))
`

const COMMON = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  strict: true,
  noEmit: true,
  resolveJsonModule: true,
}
const RESOLUTIONS = [
  { name: 'nodenext', options: { module: 'nodenext' } },
  { name: 'bundler', options: { module: 'esnext', moduleResolution: 'bundler' } },
]

let folder = ''
beforeAll(async () => {
  const { projectFolder } = await packSdk()
  // Inside the project, so that its node_modules are found.
  folder = await mkdtemp(join(projectFolder, 'consumer-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'use.ts'), USE)
  await writeFile(join(folder, 'use-of-peers.ts'), USE_OF_PEERS)
}, PACK_DEADLINE_MS)
afterAll(async () => {
  if (folder !== '') await rm(folder, { recursive: true })
})

const compile = async (file: string, options: object, compiler = COMPILERS.current): Promise<string> => {
  const project = join(folder, `${file}.json`)
  await writeFile(project, JSON.stringify({ compilerOptions: { ...COMMON, ...options }, files: [file] }))
  return runProgram(process.execPath, [compiler, '-p', project])
}

it.each(RESOLUTIONS)(
  'type-checks in a project without the types of Node, with $name',
  async ({ options }) => {
    expect(await compile('use.ts', { ...options, skipLibCheck: false })).toBe('')
  },
  PACK_DEADLINE_MS,
)

it.each(RESOLUTIONS)(
  'a subpath with a peer dependency type-checks with that peer, with $name',
  async ({ options }) => {
    // The declarations of peers are not checked.
    expect(await compile('use-of-peers.ts', { ...options, skipLibCheck: true })).toBe('')
  },
  PACK_DEADLINE_MS,
)

it(
  'type-checks in a CommonJS project with the module resolution of Node 10',
  async () => {
    const file = 'use-of-subpaths.ts'
    const imports = SUBPATHS.map(({ name }, index) => `export * as part${index} from '${name}'`)
    await writeFile(join(folder, file), imports.join('\n'))
    const options = { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0', skipLibCheck: true }
    expect(await compile(file, options)).toBe('')
    expect(await compile(file, { ...options, ignoreDeprecations: undefined }, COMPILERS.least)).toBe('')
  },
  PACK_DEADLINE_MS,
)

it(
  'can be required by a CommonJS program without a warning, and so can its manifest',
  async () => {
    const names = [...SUBPATHS.map(({ name }) => name), '@conversation-gateway/sdk/package.json']
    const program = `process.emitWarning = (warning) => { throw new Error(String(warning)) }
for (const name of ${JSON.stringify(names)}) require(name)
console.log(typeof require('@conversation-gateway/sdk').createClient, require('@conversation-gateway/sdk/package.json').type)`
    await writeFile(join(folder, 'use.cjs'), program)
    expect(await runProgram(process.execPath, [join(folder, 'use.cjs')])).toBe('function module\n')
  },
  PACK_DEADLINE_MS,
)

it(
  'type-checks with the minimum version of TypeScript that the README names',
  async () => {
    const readme = await readFile(join(SDK_FOLDER, 'README.md'), 'utf8')
    const { version } = await import('typescript-least')
    expect(readme).toContain(`TypeScript ${version.split('.', 2).join('.')} or newer`)
    expect(await compile('use.ts', { module: 'nodenext', skipLibCheck: false }, COMPILERS.least)).toBe('')
  },
  PACK_DEADLINE_MS,
)
