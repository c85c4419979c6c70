import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import control from '../../../openapi/generated/control.json' with { type: 'json' }
import { loadChecks } from '../../src/checks/load-checks.ts'
import { describeCheck } from '../../src/kit/catalogue.ts'
import { UntestableError } from '../../src/kit/check.ts'
import { ABILITIES, type Ability, formOf } from '../../src/kit/config/abilities.ts'
import { connectControl } from '../../src/kit/config/connect-control.ts'
import type { Driver } from '../../src/kit/config/driver.ts'
import type { ServerConfig } from '../../src/kit/config/server-config.ts'
import { UsageError } from '../../src/kit/config/usage-error.ts'
import { toArguments, toRequest } from '../../src/kit/config/wire-form.ts'
import { startReferenceGateway } from '../../src/run/reference/index.ts'
import { runSuite } from '../../src/run/run-suite.ts'
import { type ControlServer, serveControl } from './serve-control.ts'

const serverChecks = await loadChecks('server')

const open: ControlServer[] = []
const serve = async (driver: Driver, token?: string): Promise<ControlServer> => {
  const server = await serveControl(driver, token)
  open.push(server)
  return server
}
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** The members of a request's body in the document, and the required ones. */
function requestOf(ability: Ability): { readonly members: readonly string[]; readonly required: readonly string[] } {
  const body = Object(control.paths[`/${ability}`].post).requestBody?.content['application/json'].schema ?? {}
  const schema = body.$ref === undefined ? body : Object(control.components.schemas)[body.$ref.split('/').at(-1)]
  return { members: Object.keys(schema.properties ?? {}), required: schema.required ?? [] }
}

describe('the control protocol', () => {
  it('documents exactly the abilities of the suite', () => {
    const documented = Object.keys(control.paths).map((path) => path.slice(1))
    expect(documented.toSorted()).toEqual([...Object.keys(ABILITIES), 'abilities'].toSorted())
  })

  it.each(Object.keys(ABILITIES) as Ability[])('writes the arguments of %s as documented', (ability) => {
    const { members, required } = requestOf(ability)
    const { takes, refusable } = formOf(ability)
    const named = takes.filter((name) => name !== '…')
    expect(members).toEqual(expect.arrayContaining(named))
    if (!takes.includes('…')) expect(members.toSorted()).toEqual(named.toSorted())
    expect(named).toEqual(expect.arrayContaining(takes.includes('…') ? [] : [...required]))
    expect('409' in control.paths[`/${ability}`].post.responses).toBe(refusable ?? false)
    const args = takes.map((name) => (name === '…' ? { someThing: 1 } : name))
    expect(toArguments(ability, toRequest(ability, args))).toEqual(args)
  })

  it('transfers arguments and results, and a configured token', async () => {
    const server = await serve(
      {
        createService: async () => ({ endpointId: 'ep_1' }),
        listDeliveries: async () => [
          { deliveryId: 'd', eventId: 'e', state: 'pending', attempts: 2, lastError: null, nextAttemptAt: null },
        ],
        saveWebhook: async () => ({ refused: 'a path has at most five segments' }),
      },
      'token-of-the-control',
    )
    const driver = await connectControl({ url: `${server.url}/`, token: 'token-of-the-control' })
    expect(Object.keys(driver)).toEqual(['createService', 'saveWebhook', 'listDeliveries'])
    expect(await driver.createService?.({ besides: 'ep_0', accepts: ['text/*'] })).toEqual({ endpointId: 'ep_1' })
    expect(await driver.listDeliveries?.({ conversationId: 'conv_1' })).toMatchObject([
      { deliveryId: 'd', attempts: 2 },
    ])
    expect(await driver.saveWebhook?.({ messageField: 'a.b.c.d.e.f' })).toEqual({
      refused: 'a path has at most five segments',
    })
    expect(server.requests).toEqual([
      ['createService', { besides: 'ep_0', accepts: ['text/*'] }],
      ['listDeliveries', { conversation_id: 'conv_1' }],
      ['saveWebhook', { message_field: 'a.b.c.d.e.f' }],
    ])
    await expect(connectControl({ url: server.url, token: 'another' })).rejects.toThrow(UsageError)
  })

  it('distinguishes an ability that the server declines from a failed one', async () => {
    const { url } = await serve({
      moveClock: async () => {
        throw new UntestableError('the clock cannot be moved')
      },
      pauseAdmission: async () => {
        throw new Error('out of order')
      },
    })
    const { moveClock, pauseAdmission } = await connectControl({ url })
    await expect(moveClock?.(1)).rejects.toThrow(new UntestableError('the clock cannot be moved'))
    await expect(pauseAdmission?.()).rejects.toThrow(`POST ${url}/pauseAdmission was answered with 500`)
  })

  it('reports a closed port or another kind of server in one sentence', async () => {
    await expect(connectControl({ url: 'http://127.0.0.1:1' })).rejects.toThrow(
      /^control\.url: GET .* was not answered/,
    )
    const other = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    try {
      const address = other.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const connecting = connectControl({ url: `http://127.0.0.1:${port}` })
      await expect(connecting).rejects.toThrow('was answered with 200 and no list of abilities')
    } finally {
      other.close()
    }
  })
})

describe('a gateway with a control server', () => {
  let gateway: ServerConfig
  beforeAll(async () => {
    gateway = await startReferenceGateway({ gatewayDir: join(import.meta.dirname, '../../..'), another: false })
  })
  afterAll(() => gateway?.stop?.())

  const CHECKS = [
    'authentication/disabled-app-has-no-access',
    'callbacks/events-of-the-device',
    'callbacks/manual-retry',
    'callbacks/rotated-secret',
    'callbacks/versions',
    'errors/position-no-longer-kept',
    'messages/pending-limit-of-the-application',
    'messages/unreachable-device',
    'versioning/binding-is-recorded',
    'webhooks/paths-of-six-segments',
    'webhooks/secret-is-rotated',
  ]

  it('passes the same checks as with a driver of functions', async () => {
    const { url } = await serve(gateway.driver ?? {})
    const { driver: _functions, admin: _admin, stop: _stop, ...config } = gateway
    const report = await runSuite({
      target: 'server',
      config: { ...config, control: { url } },
      profile: 'core',
      checks: CHECKS,
    })
    expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(report.checks.length).toBe(CHECKS.length)
  })

  it('leaves checks undecided if an ability returns an invalid result, and names the ability', async () => {
    const { url } = await serve({ ...gateway.driver, createService: async () => ({ endpointId: '' }) })
    const { driver: _functions, stop: _stop, ...config } = gateway
    const report = await runSuite({
      target: 'server',
      config: { ...config, control: { url } },
      checks: ['versioning/binding-is-recorded'],
    })
    expect(report.checks).toMatchObject([
      { status: 'undecided', message: expect.stringContaining('driver.createService') },
    ])
  })
})

describe('the checks of the profile core', () => {
  it('can be run with the protocol and a complete configuration, except for two', () => {
    const offered = new Set(Object.keys(ABILITIES).map((ability) => `driver.${ability}`))
    const configured = /^(services|webhooks)\.|^(callbacks|callbacks\.allowedHost|appIds|scopedKeys|freshSubjects)$/
    const others = serverChecks
      .map(describeCheck)
      .filter(({ profile }) => profile === 'core')
      .filter(({ needs }) => needs.some((need) => !offered.has(need) && !configured.test(need)))
    expect(others.map(({ id }) => id)).toEqual(['callbacks/allowlist-setting', 'callbacks/allowlist-forms'])
  })
})
