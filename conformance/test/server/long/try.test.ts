import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runCommand } from '../../../src/commands/run-command.ts'
import { startReferenceGateway } from '../../../src/run/reference/index.ts'

const CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url))

it('a gateway without a scripted assistant passes `try` with one key and no configuration', async () => {
  const { baseUrl, apps, services, stop } = await startReferenceGateway({ gatewayDir: CHECKOUT, another: false })
  try {
    let said = ''
    const note = (text: string): void => {
      said += text
    }
    const args = ['try', baseUrl, '--key', apps.first.key, '--service', services.echo ?? '']
    expect([await runCommand(args, { print: note, log: note }), said]).toEqual([
      0,
      expect.stringMatching(/^(\d+) of \1 checks passed, 0 failed/),
    ])
  } finally {
    await stop?.()
  }
}, 300_000)
