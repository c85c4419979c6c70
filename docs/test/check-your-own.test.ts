import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../../sdk/test/support/gateway-process.ts'
import { REPOSITORY } from '../src/folders.ts'
import { readDocument } from './snippets/documents.ts'
import { createReader, type Reader } from './snippets/reader.ts'
import { matchesOutput, useOf } from './snippets/snippet-use.ts'

/** Follows the guide for third-party implementations in one shell, from packing to the last report. */

const GUIDE = 'docs/guides/check-your-own.md'
/** The guide runs the whole suite once. */
const DEADLINE_MS = 1_200_000
const KEYS = { FIRST_KEY: `gk_first_${'first'.padEnd(43, 'x')}`, SECOND_KEY: `gk_second_${'second'.padEnd(43, 'x')}` }

/**
 * The requirements of the guide: two applications, and a service of the first that follows scripts and accepts text.
 */
const BOOTSTRAP = {
  apps: Object.values(KEYS).map((key, index) => ({
    app_id: `app_${index + 1}`,
    owner_id: `owner_${index + 1}`,
    keys: [{ key, scopes: ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] }],
  })),
  devices: [{ device_id: 'dev_own' }],
  endpoints: [
    ['ep_main', 'app_1'],
    ['ep_foreign', 'app_2'],
  ].map(([endpoint_id, app_id]) => ({
    endpoint_id,
    app_id,
    device_id: 'dev_own',
    assistant: { type: 'script' },
    accepts: ['text/*'],
  })),
}

/** The gateway's own defaults: `startGateway` sets longer queues and shorter times. */
const DEFAULTS = {
  GATEWAY_HEARTBEAT_MS: undefined,
  GATEWAY_LEASE_MS: undefined,
  GATEWAY_RECONCILE_MS: undefined,
  GATEWAY_STREAMS_PER_DEVICE: undefined,
  GATEWAY_STREAMS_PER_APP: undefined,
  GATEWAY_STREAMS_PER_SUBJECT: undefined,
  GATEWAY_PENDING_PER_APP: undefined,
  GATEWAY_PENDING_PER_DEVICE: undefined,
  GATEWAY_QUEUED_PER_CONVERSATION: undefined,
}

let folder = ''
let gateway: GatewayProcess
let reader: Reader

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-your-own-'))
  const bootstrap = join(folder, 'bootstrap.json')
  await writeFile(bootstrap, JSON.stringify(BOOTSTRAP))
  gateway = await startGateway({ ...DEFAULTS, GATEWAY_BOOTSTRAP: bootstrap })
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, TMPDIR: folder, ...KEYS }
  reader = createReader({ folder: REPOSITORY, env, prelude: ':' })
})
afterAll(async () => {
  await reader?.leave()
  await gateway?.remove()
  await rm(folder, { recursive: true, force: true })
})

it('works as described, command by command', { timeout: DEADLINE_MS }, async () => {
  const { blocks } = await readDocument(GUIDE)
  let printed = ''
  for (const block of blocks) {
    const use = useOf(block)
    const code = block.code.replaceAll('http://127.0.0.1:8787', gateway.origin)
    const where = `${GUIDE}:${block.line}`
    if (use.kind === 'file') await writeFile(join((await reader.paste('pwd')).trim(), use.name), code)
    else if (use.kind === 'output' && !matchesOutput(printed, code)) expect(printed, where).toBe(code)
    else if (use.kind === 'shell')
      printed = await reader.paste(code).catch((error: unknown) => {
        throw new Error(`${where}: ${error instanceof Error ? error.message : error}`)
      })
  }
})
