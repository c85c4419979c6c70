import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, eventually } from '../support/client.ts'
import { ADMIN_TOKEN, onGateways } from '../support/running-gateway.ts'
import { runAdminCli } from './support.ts'

/** Nothing listens there. */
const RECEIVER = 'http://127.0.0.1:9'

onGateways(
  'The command line',
  (gateway) => {
    const admin = (...args: readonly string[]) =>
      runAdminCli(args, { environment: { GATEWAY_PUBLIC_URL: gateway.baseUrl, GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN } })
    const done = async (...args: readonly string[]): Promise<string> => {
      const run = await admin(...args)
      expect(run).toMatchObject({ code: 0, said: '' })
      return run.output
    }
    const json = async (...args: readonly string[]) => JSON.parse(await done(...args, '--json'))
    const memberOf = (record: string, name: string): string =>
      new RegExp(`^ *${name} +(.*)$`, 'm').exec(record)?.[1] ?? `no ${name}`

    it('sets up an application with its services, callbacks and webhooks, and operates them', async () => {
      expect(
        await done('apps', 'create', '--app-id', 'app_cli', '--owner-id', 'owner', '--name', 'Order desk'),
      ).toMatch(/^app_id +app_cli\nowner_id +owner\nname +Order desk\nstate +active\n/)
      const key = await done('keys', 'create', 'app_cli', '--scopes', 'runs:read,runs:write')
      expect(key).toContain('\nShown only now; keep it:\n  key  gk_')
      expect(await done('devices', 'create', '--device-id', 'dev_cli', '--pending-limit', '5')).toMatch(
        /pending_limit +5/,
      )
      await done(
        'endpoints',
        'create',
        'app_cli',
        '--endpoint-id',
        'ep_cli',
        '--device-id',
        'dev_test',
        '--accepts',
        'text/*',
      )
      const assistant = JSON.stringify({ type: 'script' })
      expect(await json('endpoints', 'publish', 'app_cli', 'ep_cli', '--assistant', assistant)).toMatchObject({
        binding_version: 2,
        assistant: { type: 'script' },
        accepts: ['text/*'],
      })

      const target = ['--app-id', 'app_cli', '--endpoint-id', 'ep_cli']
      const webhook = await done(
        ...['webhooks', 'create', ...target, '--subject', 'orders', '--event-type-field', 'type'],
        ...['--event-types', 'order.asked,order.changed', '--action', 'new', '--message-field', 'text'],
      )
      expect(memberOf(webhook, 'url')).toMatch(/\/api\/v1\/webhooks\//)
      expect(webhook).toMatch(/keep it:\n {2}secret {2}whsec_\w+\n$/)
      const rotated = await done('webhooks', 'rotate-secret', memberOf(webhook, 'integration_id'))
      expect(memberOf(rotated, 'secret')).not.toBe(memberOf(webhook, 'secret'))
      expect(await done('webhooks', 'get', memberOf(webhook, 'integration_id'))).not.toMatch(/^secret\b/m)

      const callback = await done(
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
      expect(await done('deliveries', 'list', '--app-id', 'app_cli')).toMatch(
        new RegExp(`^DELIVERY_ID .*STATE.*\n${deliveryId} .*pending.*run\\.completed`),
      )
      const delivery = await done('callbacks', 'get-delivery', deliveryId)
      expect(delivery).toMatch(/^last_error\.message +\S/m)
      expect(delivery).toMatch(/^attempt_log\nATTEMPT .*\n1 /m)

      await done('callbacks', 'update', memberOf(callback, 'callback_id'), '--no-enabled')
      expect(await done('deliveries', 'list', '--state', 'pending')).toBe('No deliveries.\n')
      expect(await done('retention', 'prune-events', '--older-than-seconds', '0')).toMatch(/^pruned {2}\d+\n$/)
      await done('keys', 'revoke', 'app_cli', memberOf(key, 'key_id'))
      expect(await done('keys', 'list', 'app_cli')).toMatch(/^KEY_ID .*REVOKED_AT/)
      expect(await done('admission', 'set', '--paused')).toBe('paused  true\n')
      expect(await done('admission', 'set', '--no-paused')).toBe('paused  false\n')
    })

    it('shows the state of a run, its failure and its callbacks with one command [ADMIN-16]', async () => {
      const target = ['--app-id', 'app_test', '--endpoint-id', 'ep_script']
      await done('callbacks', 'create', ...target, '--url', `${RECEIVER}/told`, '--events', 'run.failed')
      const client = gateway.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const error = { code: 'OUT_OF_PAPER', message: 'The printer has no paper.', retryable: true }
      const { run_id: runId } = (await client.send(id, { text: 'words', data: { script: [{ fail: error }] } })).body
      await ended(client, runId)
      await eventually(
        () => json('runs', 'timeline', runId),
        ({ deliveries }) => deliveries[0]?.attempt_log.length > 0,
      )
      const told = await done('runs', 'timeline', runId)
      expect(told).toMatch(/^run\.state +failed$/m)
      expect(told).toMatch(/^run\.error\.code +OUT_OF_PAPER$/m)
      expect(told).toMatch(/^run\.error\.message +The printer has no paper\.$/m)
      expect(told).toMatch(/^events.*\n.*\n[\s\S]*run\.started[\s\S]*run\.failed/m)
      expect(told).toMatch(/^deliveries.*\nDELIVERY_ID.*\ndlv_/m)
      expect(told).not.toContain('words')
      expect(await done('runs', 'list', '--error-code', 'OUT_OF_PAPER')).toContain(runId)
    })

    it('lists a page and how to get the next one, or all pages', async () => {
      for (const name of ['dev_1', 'dev_2', 'dev_3']) {
        gateway.clock.pass(1000)
        await done('devices', 'create', '--device-id', name)
      }
      const page = await admin('devices', 'list', '--limit', '2')
      expect(page.output).toMatch(/^DEVICE_ID .*\ndev_3 .*\ndev_2 .*\n$/)
      expect(page.said).toBe('\nOlder ones: --before dev_2, or --all.\n')
      const { devices } = await json('devices', 'list', '--all', '--limit', '2')
      expect(devices.slice(0, 3).map((device: { device_id: string }) => device.device_id)).toEqual([
        'dev_3',
        'dev_2',
        'dev_1',
      ])
      expect(new Set(devices.map((device: { device_id: string }) => device.device_id)).size).toBe(devices.length)
      expect(await done('devices', 'list', '--all', '--limit', '2')).toContain('dev_test')
      const last = devices.at(-1).device_id
      expect(await done('devices', 'list', '--before', last)).toBe('No more devices.\n')
    })

    it('prints the unchanged answer of the gateway with --json', async () => {
      const { body } = await gateway.operator.request('GET', '/admin/v1/apps/app_test')
      expect(await done('apps', 'get', 'app_test', '--json')).toBe(`${JSON.stringify(body)}\n`)
      expect(await done('--json', 'apps', 'get', 'app_test')).toBe(`${JSON.stringify(body)}\n`)
    })

    it('reads a body from a file, relative to the folder in which npm was called', async () => {
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
        'webhooks',
        'create',
        '--body',
        '{"app_id":1,"what":2}',
        ...['--endpoint-id', 'ep_script'],
        ...['--subject', 's', '--event-type-field', 't', '--event-types', 'a', '--action', 'new', '--data-field', 'd'],
      )
      expect(refused).toMatchObject({ code: 1, output: '' })
      expect(refused.said).toMatch(/^\S.* \(400 [A-Z_]+\)\n {2}/)
      expect(refused.said).toContain('\n  --app-id must be a string\n')
      expect(refused.said).toMatch(/\n {2}request_id \S+\n$/)
      expect((await admin('deliveries', 'get', 'dlv_unknown')).said).toMatch(/^Not found \(404 NOT_FOUND\)\n/)
    })

    it('explains what to check if the token is not accepted, without showing it', async () => {
      const token = 'a-token-that-nobody-accepts'
      const run = await runAdminCli(['apps', 'list', '--url', gateway.baseUrl], {
        environment: { GATEWAY_ADMIN_TOKEN: token },
      })
      expect(run.code).toBe(1)
      expect(run.said).toMatch(/\(401 UNAUTHENTICATED\)\n[\s\S]*GATEWAY_ADMIN_TOKEN/)
      expect(run.said).not.toContain(token)
    })
  },
  { callbackTargets: { hosts: new Set(), devOrigins: new Set([RECEIVER]) } },
)
