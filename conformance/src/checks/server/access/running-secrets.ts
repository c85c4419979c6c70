import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { ask, createSecrets, deliverTo, launchRefused, withGateway } from '../../../kit/steps/processes.ts'

const NEEDS = ['driver.launch'] as const
const CHOSEN_KEY = 'a-key-that-an-operator-chose'
const WEBHOOK = {
  integration_id: 'wh_boot',
  app_id: 'app_boot',
  endpoint_id: 'ep_boot',
  subject: 'conformance',
  event_type_field: 'type',
  event_types: ['question'],
  action: 'new',
  message_field: 'text',
}

/** A bootstrap file with one application, device and service, and with these webhooks, which share a secret. */
const fileWith = (webhookSecret: string, assistant = 'echo', webhooks: readonly object[] = [WEBHOOK]): string =>
  `file:${JSON.stringify({
    apps: [{ app_id: 'app_boot', owner_id: 'owner_boot', keys: [{ key: CHOSEN_KEY, scopes: ['runs:read'] }] }],
    devices: [{ device_id: 'dev_boot' }],
    endpoints: [{ endpoint_id: 'ep_boot', app_id: 'app_boot', device_id: 'dev_boot', assistant: { type: assistant } }],
    webhooks: webhooks.map((webhook) => ({ ...webhook, secret: webhookSecret })),
  })}`

const deliver = (t: ServerContext, baseUrl: string, secret: string): Promise<number> =>
  deliverTo(t, `${baseUrl}/api/v1/webhooks/${WEBHOOK.integration_id}`, { type: 'question', text: 'hello' }, secret)

export const checks: readonly ServerCheck[] = [
  {
    id: 'running/weak-secrets',
    title: 'a guessable admin token or secret key is refused with an error that explains how to generate one',
    rules: ['CONF-20'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const { GATEWAY_ADMIN_TOKEN, GATEWAY_SECRET_KEY } = createSecrets()
      const weak = [
        { GATEWAY_ADMIN_TOKEN: 'short' },
        { GATEWAY_ADMIN_TOKEN: 'a'.repeat(64) },
        { GATEWAY_ADMIN_TOKEN: 'changeme'.repeat(4) },
        { GATEWAY_ADMIN_TOKEN: 'abcdefghijklmnopqrstuvwxyz' },
        { GATEWAY_SECRET_KEY: '00'.repeat(32) },
        { GATEWAY_SECRET_KEY: 'deadbeef'.repeat(8) },
      ]
      for (const settings of weak) {
        const [name = ''] = Object.keys(settings)
        const { log } = await launchRefused(t, { GATEWAY_ADMIN_TOKEN, GATEWAY_SECRET_KEY, ...settings })
        match(
          log,
          new RegExp(`${name}.*openssl rand`),
          'the message does not name the setting or does not explain how to generate a value',
        )
      }
    },
  },
  {
    id: 'running/several-secret-keys',
    title: 'secrets stored with a previous key can be decrypted, and re-encryption makes that key unnecessary',
    rules: ['CONF-19', 'ADMIN-13'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const secrets = createSecrets()
      const [old, young] = [secrets.GATEWAY_SECRET_KEY, randomBytes(32).toString('hex')]
      const secret = `whsec_${randomBytes(32).toString('hex')}`
      const settings = { ...secrets, GATEWAY_BOOTSTRAP: fileWith(secret) }
      const reencrypt = async (baseUrl: string) => {
        const url = `${baseUrl}/admin/v1/secrets/reencrypt`
        const { status, json } = await ask(t, url, { key: secrets.GATEWAY_ADMIN_TOKEN, method: 'POST' })
        equal(status, 200)
        return json
      }
      await withGateway(t, settings, async (first) => {
        await first.end('SIGTERM')
        // Without the bootstrap file, which would replace a secret that cannot be decrypted.
        const second = await first.again({ ...secrets, GATEWAY_SECRET_KEY: `${young},${old}` })
        try {
          const baseUrl = second.baseUrl ?? ''
          equal(await deliver(t, baseUrl, secret), 202, 'a secret stored with the second key cannot be decrypted')
          const counts = await reencrypt(baseUrl)
          ok(Number(counts.reencrypted) > 0 && counts.unreadable === 0, JSON.stringify(counts))
          const again = await reencrypt(baseUrl)
          deepEqual(
            [again.reencrypted, again.unreadable],
            [0, 0],
            'the second re-encryption found secrets to re-encrypt',
          )
          ok(Number(again.current) > 0)
        } finally {
          await second.end('SIGTERM')
        }
        const third = await second.again({ ...secrets, GATEWAY_SECRET_KEY: young })
        try {
          equal(await deliver(t, third.baseUrl ?? '', secret), 202, 'the old key is still needed')
        } finally {
          await third.end('SIGKILL')
        }
      })
    },
  },
  {
    id: 'running/bootstrap-keeps-rotated-secrets',
    title:
      'the same file does not restore a rotated secret, a new secret in it takes effect, and a removed entry is kept',
    rules: ['BOOT-10', 'BOOT-11'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const secrets = createSecrets()
      const [initial, edited] = ['initial', 'edited'].map((word) => `whsec_${word}_${randomBytes(24).toString('hex')}`)
      if (initial === undefined || edited === undefined) throw new Error('unreachable')
      const settings = { ...secrets, GATEWAY_BOOTSTRAP: fileWith(initial) }
      await withGateway(t, settings, async (first, baseUrl) => {
        const url = `${baseUrl}/admin/v1/webhooks/${WEBHOOK.integration_id}/rotate-secret`
        const { json } = await ask(t, url, { key: secrets.GATEWAY_ADMIN_TOKEN, method: 'POST' })
        const rotated = String(json.secret)
        await first.end('SIGTERM')
        let last = first
        const restartWith = async (file: string, expected: readonly (readonly [string, number])[]): Promise<string> => {
          last = await last.again({ ...secrets, GATEWAY_BOOTSTRAP: file })
          try {
            for (const [secret, status] of expected) equal(await deliver(t, last.baseUrl ?? '', secret), status)
            return last.log()
          } finally {
            await last.end('SIGTERM')
          }
        }
        await restartWith(fileWith(initial), [
          [initial, 401],
          [rotated, 202],
        ])
        const log = await restartWith(fileWith(edited, 'script'), [
          [initial, 401],
          [rotated, 401],
          [edited, 202],
        ])
        for (const id of ['wh_boot', 'ep_boot']) ok(log.includes(id), `the change of ${id} is not logged:\n${log}`)
        for (const secret of [initial, edited, rotated, CHOSEN_KEY]) ok(!log.includes(secret), 'the log shows a secret')
        await restartWith(fileWith(edited, 'script', []), [[edited, 202]])
      })
    },
  },
  {
    id: 'running/ids-of-chosen-keys',
    title: 'the ID of a key chosen by an operator contains no part of a digest of the key',
    rules: ['AUTH-24'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const secrets = createSecrets()
      await withGateway(t, { ...secrets, GATEWAY_BOOTSTRAP: fileWith('whsec_any') }, async (_launched, baseUrl) => {
        const url = `${baseUrl}/admin/v1/apps/app_boot/keys`
        const { text } = await ask(t, url, { key: secrets.GATEWAY_ADMIN_TOKEN })
        const ids = [...text.matchAll(/"key_id":\s*"([^"]+)"/g)].map(([, id = '']) => id)
        equal(ids.length, 1, text)
        for (const algorithm of ['sha256', 'sha512', 'sha1', 'md5'])
          for (const encoding of ['hex', 'base64url'] as const) {
            const digest = createHash(algorithm).update(CHOSEN_KEY).digest(encoding)
            for (let start = 0; start + 8 <= digest.length; start += 1)
              ok(!ids[0]?.includes(digest.slice(start, start + 8)), `the ID ${ids[0]} is derived from the ${algorithm}`)
          }
      })
    },
  },
]
