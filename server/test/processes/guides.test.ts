import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startGateway } from '../support/gateway-process.ts'

const GUIDES = fileURLToPath(new URL('../../../docs/guides', import.meta.url))
const readGuide = (name: string): Promise<string> => readFile(join(GUIDES, name), 'utf8')

/** The commands of a guide as a reader would paste them; the first block starts the gateway. */
const commandsOf = (guide: string): string =>
  [...guide.matchAll(/^```sh\n(.*?)^```$/gms)]
    .slice(1)
    .map(([, block]) => block)
    .join('')

test('the guide “Receive webhooks” works as it is written, with curl and openssl alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-guide-'))
  const gateway = await startGateway({}, folder)
  try {
    const commands = commandsOf(await readGuide('receive-webhooks.md'))
    expect(commands).toContain('BASE=http://127.0.0.1:8787')
    const script = commands.replace('http://127.0.0.1:8787', gateway.baseUrl)
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', script], { cwd: folder })
    const statuses = [...stdout.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
    expect(statuses).toEqual([202, 202, 202, 409, 403, 400, 401, 202, 403])
    expect(stdout).toContain('idempotency-replayed: true')
    expect(stdout).toContain('"pointer":"/order/id"')
    expect(stdout).toMatch(/"run_id":"run_\w+".*"state":"(queued|running|succeeded)"/)
  } finally {
    await gateway.stop()
    await rm(folder, { recursive: true })
  }
})

test('a guide that speaks of a standard library for signatures says that it does not do as it is [SIG-21]', async () => {
  const guides = await Promise.all((await readdir(GUIDES)).map(readGuide))
  expect(guides.length).toBeGreaterThan(0)
  const speaking = guides.filter((guide) => /standard[- ]?webhooks?|webhooks? standard|svix/i.test(guide))
  for (const guide of speaking) expect(guide).toMatch(/key and encoding differ|build it as shown/)
})
