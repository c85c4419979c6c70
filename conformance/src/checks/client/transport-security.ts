import { json, respond } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { expectEqual, expectError, expectMembers, expectThat } from '../../kit/client/expect.ts'
import { RUN, runRecord } from '../../kit/client/records.ts'

/** Expects a client to refuse this address, on creation or on first use, before it sends anything. */
const expectRefusal = async ({ open, gateway }: ClientContext, baseUrl: string): Promise<void> => {
  const use = async () => (await open({ base_url: baseUrl })).call('read_run', { run_id: 'run_1' })
  await expectError(`A client of ${baseUrl}`, use(), 'invalid')
  expectEqual(`The requests to ${baseUrl}`, gateway.requests.length, 0)
}

/** Expects a client to accept this address, and to work with it. */
const expectUse = async ({ open, gateway }: ClientContext, baseUrl: string): Promise<void> => {
  gateway.on('GET', RUN, json(200, runRecord('running')))
  const client = await open({ base_url: baseUrl })
  expectMembers('the run', await client.call('read_run', { run_id: 'run_1' }), { state: 'running' })
}

export const checks: readonly ClientCheck[] = [
  {
    id: 'transport/plain-http',
    title: 'a client refuses plain HTTP to names that are not loopback, even if they resemble a loopback name',
    rules: ['AUTH-06'],
    tags: ['security'],
    needs: ['read_run'],
    run: async (context) => {
      const { port } = context.gateway
      for (const host of [
        'gateway.invalid',
        'localhost.gateway.invalid',
        '127.0.0.1.gateway.invalid',
        'localhost-gateway.invalid',
        '127-0-0-1.invalid',
      ])
        await expectRefusal(context, `http://${host}:${port}`)
      await expectUse(context, context.gateway.origin)
    },
  },
  {
    id: 'transport/plain-http-to-an-address',
    title: 'a client refuses plain HTTP to an address that is not loopback',
    rules: ['AUTH-06'],
    tags: ['security'],
    needs: ['read_run'],
    run: async (context) => {
      // On most systems this address reaches the same machine, but it is not a loopback address, so a key would be
      // exposed.
      await expectRefusal(context, `http://0.0.0.0:${context.gateway.port}`)
      await expectUse(context, context.gateway.origin)
    },
  },
  {
    id: 'transport/upper-case-scheme',
    title: 'a client refuses plain HTTP in any spelling of the scheme',
    rules: ['AUTH-06'],
    tags: ['security'],
    needs: ['read_run'],
    run: async (context) => {
      await expectRefusal(context, `HTTP://gateway.invalid:${context.gateway.port}`)
      await expectUse(context, context.gateway.origin)
    },
  },
  {
    id: 'transport/redirect',
    title: 'a redirect does not send the key over plain HTTP to a host that is not loopback',
    rules: ['AUTH-06'],
    tags: ['security'],
    needs: ['read_run'],
    run: async ({ gateway, open }) => {
      const elsewhere = `http://0.0.0.0:${gateway.port}/elsewhere`
      const client = await open()
      gateway.on('GET', '/elsewhere', json(200, runRecord('succeeded')))
      for (const status of [301, 302, 307, 308]) {
        gateway.on('GET', RUN, respond(status, { Location: elsewhere }))
        // The client need not follow redirects.
        await client.call('read_run', { run_id: 'run_1' }).catch(() => {})
      }
      expectThat(gateway.to('GET', RUN).length >= 4, 'The client must request the run each time')
      for (const request of gateway.to('GET', '/elsewhere'))
        expectEqual('Authorization after a redirect', request.values('authorization'), [])
    },
  },
]
