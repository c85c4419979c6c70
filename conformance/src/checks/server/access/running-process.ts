import { equal, match, ok, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:https'
import { createServer } from 'node:net'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { CERTIFICATE } from '../../../kit/steps/certificate.ts'
import { openDemo } from '../../../kit/steps/demo.ts'
import { ask, createSecrets, launchRefused, withGateway } from '../../../kit/steps/processes.ts'

const NEEDS = ['driver.launch'] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'running/first-start',
    title:
      'on loopback with the embedded database the gateway prints one ready line, keeps its data in .data, and has a working demo',
    rules: ['OPS-01', 'OPS-02', 'CONF-02', 'CONF-03', 'CONF-06', 'BOOT-09'],
    needs: NEEDS,
    alone: 'launch',
    run: (t) => {
      const { GATEWAY_ADMIN_TOKEN } = createSecrets()
      return withGateway(t, { GATEWAY_ADMIN_TOKEN }, async (launched, baseUrl) => {
        match(baseUrl, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
        equal(linesOf(launched.output()), 1, 'standard output has more than the ready line')
        ok((await launched.files()).includes('.data'), 'there is no folder .data')
        const { key, endpointId } = await openDemo(t, baseUrl, GATEWAY_ADMIN_TOKEN)
        const conversation = await ask(t, `${baseUrl}/api/v1/conversations`, { key, json: { endpoint_id: endpointId } })
        equal(conversation.status, 201)
        const sent = await ask(t, `${baseUrl}/api/v1/conversations/${conversation.json.conversation_id}/messages`, {
          key,
          json: { expected_generation: 1, input: { text: 'one two three' } },
        })
        equal(sent.status, 202)
        const run = await t.until(
          'the demo run has ended',
          () => ask(t, `${baseUrl}/api/v1/runs/${sent.json.run_id}`, { key }),
          ({ json }) => json.state === 'succeeded' || json.state === 'failed',
        )
        equal(Object(run.json.result).text, 'one two three', 'the demo service does not echo')
        equal(linesOf(launched.output()), 1, 'something was logged to standard output')
      })
    },
  },
  {
    id: 'running/demo-where-it-belongs',
    title: 'the demo is created on loopback or on request, and its key is never logged',
    rules: ['BOOT-09', 'BOOT-12'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const secrets = createSecrets()
      const open = { ...secrets, GATEWAY_HOST: '0.0.0.0', GATEWAY_BEHIND_PROXY: '1' }
      const appsWith = (settings: Readonly<Record<string, string>>): Promise<unknown[]> =>
        withGateway(t, settings, async (launched, baseUrl) => {
          const url = `http://127.0.0.1:${new URL(baseUrl).port}/admin/v1/apps`
          const { json } = await ask(t, url, { key: secrets.GATEWAY_ADMIN_TOKEN })
          await launched.end('SIGTERM')
          const again = await launched.again(settings)
          await again.end('SIGTERM')
          for (const { log, output } of [launched, again])
            ok(!/gk_[A-Za-z0-9]/.test(log() + output()), `a key was logged:\n${log()}`)
          return Array.isArray(json.apps) ? json.apps : []
        })
      equal((await appsWith(open)).length, 0, 'the address is reachable by other machines, but the demo was created')
      equal((await appsWith({ ...open, GATEWAY_DEMO: '1' })).length, 1, 'the demo was not created on request')
      equal((await appsWith(secrets)).length, 1, 'the demo was not created on loopback')
    },
  },
  {
    id: 'running/ends-by-signal',
    title: 'on SIGTERM and on SIGINT the gateway exits with 0, and its data is kept for the next start',
    rules: ['OPS-03', 'CONF-06'],
    needs: NEEDS,
    alone: 'launch',
    run: (t) => {
      const secrets = createSecrets()
      return withGateway(t, secrets, async (first, baseUrl) => {
        const { key, endpointId } = await openDemo(t, baseUrl, secrets.GATEWAY_ADMIN_TOKEN)
        const { json } = await ask(t, `${baseUrl}/api/v1/conversations`, { key, json: { endpoint_id: endpointId } })
        equal(await first.end('SIGTERM'), 0, 'after SIGTERM the gateway does not exit with 0')
        const second = await first.again(secrets)
        try {
          const read = await ask(t, `${second.baseUrl}/api/v1/conversations/${json.conversation_id}`, { key })
          equal(read.status, 200, 'the conversation was lost in the restart')
          equal(await second.end('SIGINT'), 0, 'after SIGINT the gateway does not exit with 0')
        } finally {
          await second.end('SIGKILL')
        }
      })
    },
  },
  {
    id: 'running/reports-every-fault',
    title: 'all faults in settings are reported at once, by name and without secrets, and the gateway does not start',
    rules: ['CONF-01', 'CONF-10'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const { output, log } = await launchRefused(t, {
        GATEWAY_PORT: 'eighty',
        GATEWAY_ROLES: 'api,cook',
        DATABASE_URL: 'mysql://user:hunter2@db/x',
      })
      for (const name of ['GATEWAY_PORT', 'GATEWAY_ROLES', 'DATABASE_URL'])
        ok(log.includes(name), `the fault of ${name} is not reported:\n${log}`)
      ok(!log.includes('hunter2'), 'the message shows a secret')
      equal(output, '')
    },
  },
  {
    id: 'running/guards-open-addresses',
    title: 'on an address that is not loopback the gateway requires TLS or a proxy, an admin token and a secret key',
    rules: ['CONF-15', 'CONF-16', 'CONF-17'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const { GATEWAY_ADMIN_TOKEN, GATEWAY_SECRET_KEY } = createSecrets()
      const open = { GATEWAY_HOST: '0.0.0.0' }
      const secrets = { GATEWAY_ADMIN_TOKEN, GATEWAY_SECRET_KEY }
      const proxy = { GATEWAY_BEHIND_PROXY: '1' }
      for (const [settings, name] of [
        [{ ...open, ...secrets }, /TLS/],
        [{ ...open, ...proxy, GATEWAY_SECRET_KEY }, /GATEWAY_ADMIN_TOKEN/],
        [{ ...open, ...proxy, GATEWAY_ADMIN_TOKEN }, /GATEWAY_SECRET_KEY/],
      ] as const)
        match((await launchRefused(t, settings)).log, name)
      await withGateway(t, { ...open, ...proxy, ...secrets }, async (_launched, baseUrl) => {
        const { port } = new URL(baseUrl)
        equal((await ask(t, `http://127.0.0.1:${port}/healthz`)).status, 200)
      })
    },
  },
  {
    id: 'running/serves-https',
    title: 'with a certificate the gateway serves HTTPS but not plain HTTP, and prints its public URL',
    rules: ['CONF-03', 'CONF-04', 'CONF-14'],
    tags: ['security'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const port = await findFreePort()
      const settings = {
        GATEWAY_PORT: String(port),
        GATEWAY_TLS_CERT: `file:${CERTIFICATE.cert}`,
        GATEWAY_TLS_KEY: `file:${CERTIFICATE.key}`,
        GATEWAY_PUBLIC_URL: 'https://gateway.example.com',
      }
      await withGateway(t, settings, async (_launched, baseUrl) => {
        equal(baseUrl, 'https://gateway.example.com', 'the ready line does not contain the public URL')
        equal(await statusOverTls(port, '/healthz'), 200)
        await rejects(fetch(`http://127.0.0.1:${port}/healthz`), 'plain HTTP is answered as well')
      })
    },
  },
]

const linesOf = (text: string): number => text.split('\n').filter((line) => line !== '').length

/** A port that was free at the time of the call. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The status of a GET that trusts only the certificate created by the check. */
const statusOverTls = (port: number, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, ca: CERTIFICATE.cert, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end()
  })
