import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { startGateway } from '../support/gateway-process.ts'
import { untilHolds } from '../support/until-holds.ts'

const GUIDES = fileURLToPath(new URL('../../../docs/guides', import.meta.url))
const readGuide = (name: string): Promise<string> => readFile(join(GUIDES, name), 'utf8')

/** The commands of a guide, except the first block, which starts the gateway. */
const commandsOf = (guide: string): string =>
  [...guide.matchAll(/^```sh\n(.*?)^```$/gms)]
    .slice(1)
    .map(([, block]) => block)
    .join('')

/** Replaces `sleep` in the guide: the test waits until an attempt has ended. */
const waitIn = (log: string): string => `
SEEN=$(wc -l < ${log})
sleep() {
  until [ "$(wc -l < ${log})" -gt "$SEEN" ] && ! admin "$BASE/admin/v1/deliveries?state=sending" | grep -q dlv_
  do command sleep 0.1; done
  SEEN=$(wc -l < ${log})
}
`

test('the commands of the guide “Receive webhooks” work, with only curl and openssl', async () => {
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

test('the commands of the guide “Receive callbacks” work, with curl, openssl and the receiver of the guide', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-guide-'))
  const port = await findFreePort()
  const guide = (await readGuide('receive-callbacks.md'))
    .replaceAll('/tmp/callbacks', join(folder, 'callbacks'))
    .replaceAll('9000', String(port))
  const [receive = '', start = '', ...rest] = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  const log = join(folder, 'receiver.log')
  const receiver = spawn(
    'bash',
    ['-eu', '-c', receive.replace('\nnode receiver.mjs', `\nexec node receiver.mjs > ${log}`)],
    {
      cwd: folder,
      stdio: 'inherit',
    },
  )
  const ended = once(receiver, 'close')
  expect(start).toBe(`GATEWAY_CALLBACK_DEV_TARGETS=http://127.0.0.1:${port} npm start\n`)
  const gateway = await startGateway({ GATEWAY_CALLBACK_DEV_TARGETS: `http://127.0.0.1:${port}` }, folder)
  try {
    await untilHolds(async () =>
      expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })).status).toBe(204),
    )
    const commands = (waitIn(log) + rest.join('')).replace('http://127.0.0.1:8787', gateway.baseUrl)
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', commands], { cwd: folder })
    expect(stdout.match(/is (genuine|forged)/g)).toEqual(['is genuine', 'is forged', 'is genuine'])
    const states = [...stdout.matchAll(/"delivery_id".*?"state":"(\w+)"/g)].map(([, state]) => state)
    expect(states).toEqual(['pending', 'delivered', 'needs_action', 'needs_action', 'pending', 'delivered'])
    expect(stdout.trim()).toMatch(/"enabled":false,"version":2,[^\n]*$/)
    const statuses = [...(await readFile(log, 'utf8')).matchAll(/^(\d+) evt_/gm)].map(([, status]) => status)
    expect(statuses).toEqual(['204', '503', '204', '404', '204', '204'])
  } finally {
    receiver.kill()
    await Promise.all([gateway.stop(), ended])
    await rm(folder, { recursive: true })
  }
})

test('a guide that mentions Standard Webhooks or its libraries says how the signatures differ [SIG-21]', async () => {
  const guides = await Promise.all((await readdir(GUIDES)).map(readGuide))
  expect(guides.length).toBeGreaterThan(0)
  const mentioning = guides.filter((guide) => /standard[- ]?webhooks?|webhooks? standard|svix/i.test(guide))
  for (const guide of mentioning) expect(guide).toMatch(/key and encoding differ|build it as shown/)
})
