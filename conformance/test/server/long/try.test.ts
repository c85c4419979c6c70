import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startReferenceGateway } from '../../../src/run/reference/index.ts'
import { runAndRecord } from '../../run-and-record.ts'

const CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url))

it('a gateway without a scripted assistant passes `try` with one key and no configuration', async () => {
  const { baseUrl, apps, services, stop } = await startReferenceGateway({ gatewayDir: CHECKOUT, another: false })
  try {
    const { code, out } = await runAndRecord('try', baseUrl, '--key', apps.first.key, '--service', services.echo ?? '')
    expect(out).toMatch(/^(\d+) of \1 checks passed, 0 failed/)
    expect(code).toBe(0)
  } finally {
    await stop?.()
  }
}, 300_000)
