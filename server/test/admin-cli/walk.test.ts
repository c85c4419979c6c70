import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, eventually } from '../support/client.ts'
import { ADMIN_TOKEN, onGateways } from '../support/running-gateway.ts'
import { runAdminCli } from './support.ts'

/** An address where nothing listens. */
const RECEIVER = 'http://127.0.0.1:9'

onGateways(
  'The command line',
  (gateway) => {
    const admin = (...args: readonly string[]) =>
      runAdminCli(args, { environment: { GATEWAY_PUBLIC_URL: gateway.baseUrl, GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN } })
    const outputOf = async (...args: readonly string[]): Promise<string> => {
      const result = await admin(...args)
      expect(result).toMatchObject({ code: 0, errorOutput: '' })
      return result.output
    }
    const json = async (...args: readonly string[]) => JSON.parse(await outputOf(...args, '--json'))
    const memberOf = (record: string, name: string): string =>
      new RegExp(`^ *${name} +(.*)$`, 'm').exec(record)?.[1] ?? `no ${name}`

    it('creates and operates an application with its services, callbacks and webhooks', async () => {
      expect(
        await outputOf('apps', 'create', '--app-id', 'app_cli', '--owner-id', 'owner', '--name', 'Order desk'),
      ).toMatch(/^app_id +app_cli\nowner_id +owner\nname +Order desk\nstate +active\n/)
      const key = await outputOf('keys', 'create', 'app_cli', '--scopes', 'runs:read,runs:write')
      expect(key).toContain('\nShown only now; keep it:\n  key  gk_')
      expect(await outputOf('devices', 'create', '--device-id', 'dev_cli', '--pending-limit', '5')).toMatch(
        /pending_limit +5/,
      )
      await outputOf(
        ...['endpoints', 'create', 'app_cli', '--endpoint-id', 'ep_cli'],
        ...['--device-id', 'dev_test', '--accepts', 'text/*'],
      )
      const assistant = JSON.stringify({ type: 'script' })
      expect(await json('endpoints', 'publish', 'app_cli', 'ep_cli', '--assistant', assistant)).toMatchObject({
        binding_version: 2,
        assistant: { type: 'script' },
        accepts: ['text/*'],
      })

      const target = ['--app-id', 'app_cli', '--endpoint-id', 'ep_cli']
      const webhook = await outputOf(
        ...['webhooks', 'create', ...target, '--subject', 'orders', '--event-type-field', 'type'],
        ...['--event-types', 'order.asked,order.changed', '--action', 'new', '--message-field', 'text'],
      )
      expect(memberOf(webhook, 'url')).toMatch(/\/api\/v1\/webhooks\//)
      expect(webhook).toMatch(/keep it:\n {2}secret {2}whsec_\w+\n$/)
      const rotated = await outputOf('webhooks', 'rotate-secret', memberOf(webhook, 'integration_id'))
      expect(memberOf(rotated, 'secret')).not.toBe(memberOf(webhook, 'secret'))
      expect(await outputOf('webhooks', 'get', memberOf(webhook, 'integration_id'))).not.toMatch(/^secret\b/m)

      const callback = await outputOf(
        ...['callbacks', 'create', ...target, '--url', `${RECEIVER}/events`, '--events', 'run.completed'],
      )
      const run = await gateway
        .client({ key: memberOf(key, 'key') })
        .post<{ run_id: string }>('/api/v1/agent-endpoints/ep_cli/runs', {
          input: { data: { script: [{ delta: 'Hi' }] } },
        })
      await ended(gateway.client({ key: memberOf(key, 'key') }), run.body.run_id)
      const attempted = await eventually(
        () => json('deliveries', 'list', '--app-id', 'app_cli', '--state', 'pending'),
        ({ deliveries }) => deliveries[0]?.last_error !== undefined && deliveries[0].last_error !== null,
      )
      const [{ delivery_id: deliveryId }] = attempted.deliveries
      expect(await outputOf('deliveries', 'list', '--app-id', 'app_cli')).toMatch(
        new RegExp(`^DELIVERY_ID .*STATE.*\n${deliveryId} .*pending.*run\\.completed`),
      )
      const delivery = await outputOf('callbacks', 'get-delivery', deliveryId)
      expect(delivery).toMatch(/^last_error\.message +\S/m)
      expect(delivery).toMatch(/^attempt_log\nATTEMPT .*\n1 /m)

      await outputOf('callbacks', 'update', memberOf(callback, 'callback_id'), '--no-enabled')
      expect(await outputOf('deliveries', 'list', '--state', 'pending')).toBe('No deliveries.\n')
      expect(await outputOf('retention', 'prune-events', '--older-than-seconds', '0')).toMatch(/^pruned {2}\d+\n$/)
      await outputOf('keys', 'revoke', 'app_cli', memberOf(key, 'key_id'))
      expect(await outputOf('keys', 'list', 'app_cli')).toMatch(/^KEY_ID .*REVOKED_AT/)
      expect(await outputOf('admission', 'set', '--paused')).toBe('paused  true\n')
      expect(await outputOf('admission', 'set', '--no-paused')).toBe('paused  false\n')
    })

    it('shows the state of a run, its failure and its callbacks with one command [ADMIN-16]', async () => {
      const target = ['--app-id', 'app_test', '--endpoint-id', 'ep_script']
      await outputOf('callbacks', 'create', ...target, '--url', `${RECEIVER}/events`, '--events', 'run.failed')
      const client = gateway.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const error = { code: 'OUT_OF_PAPER', message: 'The printer has no paper.', retryable: true }
      const { run_id: runId } = (await client.send(id, { text: 'words', data: { script: [{ fail: error }] } })).body
      await ended(client, runId)
      await eventually(
        () => json('runs', 'timeline', runId),
        ({ deliveries }) => deliveries[0]?.attempt_log.length > 0,
      )
      const timeline = await outputOf('runs', 'timeline', runId)
      expect(timeline).toMatch(/^run\.state +failed$/m)
      expect(timeline).toMatch(/^run\.error\.code +OUT_OF_PAPER$/m)
      expect(timeline).toMatch(/^run\.error\.message +The printer has no paper\.$/m)
      expect(timeline).toMatch(/^events.*\n.*\n[\s\S]*run\.started[\s\S]*run\.failed/m)
      expect(timeline).toMatch(/^deliveries.*\nDELIVERY_ID.*\ndlv_/m)
      expect(timeline).not.toContain('words')
      expect(await outputOf('runs', 'list', '--error-code', 'OUT_OF_PAPER')).toContain(runId)
    })

    it('lists a page and explains how to get the next one, or lists all pages', async () => {
      for (const name of ['dev_1', 'dev_2', 'dev_3']) {
        gateway.clock.pass(1000)
        await outputOf('devices', 'create', '--device-id', name)
      }
      const page = await admin('devices', 'list', '--limit', '2')
      expect(page.output).toMatch(/^DEVICE_ID .*\ndev_3 .*\ndev_2 .*\n$/)
      expect(page.errorOutput).toBe('\nOlder ones: --before dev_2, or --all.\n')
      const { devices } = await json('devices', 'list', '--all', '--limit', '2')
      expect(devices.slice(0, 3).map((device: { device_id: string }) => device.device_id)).toEqual([
        'dev_3',
        'dev_2',
        'dev_1',
      ])
      expect(new Set(devices.map((device: { device_id: string }) => device.device_id)).size).toBe(devices.length)
      expect(await outputOf('devices', 'list', '--all', '--limit', '2')).toContain('dev_test')
      const last = devices.at(-1).device_id
      expect(await outputOf('devices', 'list', '--before', last)).toBe('No more devices.\n')
    })

    it('prints the answer of the gateway unchanged with --json', async () => {
      const { body } = await gateway.operator.request('GET', '/admin/v1/apps/app_test')
      expect(await outputOf('apps', 'get', 'app_test', '--json')).toBe(`${JSON.stringify(body)}\n`)
      expect(await outputOf('--json', 'apps', 'get', 'app_test')).toBe(`${JSON.stringify(body)}\n`)
    })

    it('reads a body from a file relative to the folder where npm was called', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gateway-admin-'))
      await writeFile(join(folder, 'device.json'), JSON.stringify({ device_id: 'dev_file', name: 'From a file' }))
      const environment = { GATEWAY_PUBLIC_URL: gateway.baseUrl, GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN, INIT_CWD: folder }
      expect(await runAdminCli(['devices', 'create', '--body', '@device.json'], { environment })).toMatchObject({
        code: 0,
        output: expect.stringContaining('From a file'),
      })
      await rm(folder, { recursive: true })
    })

    it('prints a refusal with its faults by flag and its request ID, and exits with 1', async () => {
      const refused = await admin(
        ...['webhooks', 'create', '--body', '{"app_id":1,"what":2}', '--endpoint-id', 'ep_script'],
        ...['--subject', 's', '--event-type-field', 't', '--event-types', 'a', '--action', 'new', '--data-field', 'd'],
      )
      expect(refused).toMatchObject({ code: 1, output: '' })
      expect(refused.errorOutput).toMatch(/^\S.* \(400 [A-Z_]+\)\n {2}/)
      expect(refused.errorOutput).toContain('\n  --app-id must be a string\n')
      expect(refused.errorOutput).toMatch(/\n {2}request_id \S+\n$/)
      expect((await admin('deliveries', 'get', 'dlv_unknown')).errorOutput).toMatch(/^Not found \(404 NOT_FOUND\)\n/)
    })

    it('explains what to check if the token is refused, without showing it', async () => {
      const token = 'a-token-that-nobody-accepts'
      const run = await runAdminCli(['apps', 'list', '--url', gateway.baseUrl], {
        environment: { GATEWAY_ADMIN_TOKEN: token },
      })
      expect(run.code).toBe(1)
      expect(run.errorOutput).toMatch(/\(401 UNAUTHENTICATED\)\n[\s\S]*GATEWAY_ADMIN_TOKEN/)
      expect(run.errorOutput).not.toContain(token)
    })
  },
  { callbackTargets: { hosts: new Set(), devOrigins: new Set([RECEIVER]) } },
)
