import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runGateway, startGateway } from '../support/gateway-process.ts'
import { listen } from '../support/listen.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-operator-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a gateway with an address for its operator', () => {
  test('answers only operators at that address and prints it, and the admin command finds it', async () => {
    const settings = { GATEWAY_DATA_DIR: join(folder, 'data'), GATEWAY_LOG_LEVEL: 'info' }
    const gateway = await startGateway({ ...settings, GATEWAY_OPERATOR_PORT: '0' })
    try {
      const ready: { base_url: string; operator_url: string } = JSON.parse(gateway.output().trim())
      expect(ready.operator_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
      for (const path of ['/metrics', '/admin/v1/apps'])
        expect([path, await statusOf(ready.base_url + path)]).toEqual([path, 404])
      expect(await statusOf(`${ready.base_url}/readyz`)).toBe(200)
      expect(await statusOf(`${ready.operator_url}/metrics`)).toBe(200)
      expect(await statusOf(`${ready.operator_url}/api/v1/conversations`)).toBe(404)
      const { port } = new URL(ready.operator_url)
      const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'admin', 'apps', 'list'], {
        env: { PATH: process.env.PATH, ...settings, GATEWAY_OPERATOR_PORT: port },
      })
      expect(stdout).toContain('app_demo')
    } finally {
      expect(await gateway.stop()).toBe(0)
    }
    expect(gateway.log()).toMatch(/"operator_url":"http:\/\/127\.0\.0\.1:\d+".*"msg":"ready"/)
  })

  test('does not start if that address is in use, and names the setting', async () => {
    const occupied = createServer()
    const port = await listen(occupied)
    const { code, output, log } = await runGateway({
      GATEWAY_DATA_DIR: join(folder, 'other'),
      GATEWAY_OPERATOR_PORT: String(port),
      GATEWAY_LOG_LEVEL: 'silent',
    })
    occupied.close()
    expect([code, output, log]).toEqual([
      1,
      '',
      `127.0.0.1:${port} is in use. Stop the program that listens there, or set GATEWAY_OPERATOR_PORT.\n`,
    ])
  })
})
