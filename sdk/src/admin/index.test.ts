import { describe, expect, it, vi } from 'vitest'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { createScriptedFetch, json, lost, problem, type Reply } from '../../test/support/scripted-fetch.ts'
import { ORIGIN } from '../../test/support/settings.ts'
import { ApiError } from '../errors.ts'
import { ADMIN_OPERATIONS, createAdminClient } from './index.ts'

const connect = (...replies: readonly Reply[]) => {
  const { fetch, requests } = createScriptedFetch(...replies)
  const timing = createManualTiming()
  return { client: createAdminClient({ baseUrl: ORIGIN, adminToken: 'token-1', fetch, timing }), timing, requests }
}

describe('the operator’s client', () => {
  it('sends the token, and neither subject nor key', async () => {
    const { client, requests } = connect(json(201, { app_id: 'app_1' }))
    await client.apps.create({ owner_id: 'owner_1' })
    expect(requests[0]?.url).toBe(`${ORIGIN}/admin/v1/apps`)
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      accept: 'application/json, application/problem+json',
      authorization: 'Bearer token-1',
      'content-type': 'application/json',
    })
  })

  it('repeats a write that had no effect, and reports one that may have had an effect as unknown', async () => {
    const { client, timing, requests } = connect(problem('CAPABILITY_UNAVAILABLE'), lost)
    const outcome = await timing.drive(client.apps.create({ owner_id: 'owner_1' }).outcome())
    expect(outcome).toMatchObject({ kind: 'unknown', handle: null })
    expect(requests).toHaveLength(2)
  })

  it('repeats a PUT, because it is idempotent', async () => {
    const { client, timing } = connect(lost, json(200, { paused: true }))
    expect(await timing.drive(client.admission.set({ paused: true }))).toEqual({ paused: true })
  })

  it('repeats reads', async () => {
    const { client, timing } = connect(lost, json(200, { apps: [] }))
    expect(await timing.drive(client.apps.list().withResponse())).toMatchObject({ data: { apps: [] }, attempts: 2 })
  })

  it('iterates over the pages of a list, each page starting after the last item of the previous one', async () => {
    const page = (...ids: string[]) => json(200, { deliveries: ids.map((delivery_id) => ({ delivery_id })) })
    const { client, requests } = connect(page('dlv_3', 'dlv_2'), page('dlv_1'), page())
    const found: string[] = []
    for await (const { delivery_id } of client.callbacks.listDeliveries({ state: 'needs_action', limit: 2 }))
      found.push(delivery_id)
    expect(found).toEqual(['dlv_3', 'dlv_2', 'dlv_1'])
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?state=needs_action&limit=2',
      '?state=needs_action&limit=2&before=dlv_2',
      '?state=needs_action&limit=2&before=dlv_1',
    ])
  })

  it('encodes path parameters, whatever characters they contain', async () => {
    const { client, requests } = connect(json(200, {}))
    await client.apps.get('../keys?x=1')
    expect(requests[0]?.url).toBe(`${ORIGIN}/admin/v1/apps/..%2Fkeys%3Fx%3D1`)
  })

  it('throws a refusal with its code, without the token in the message', async () => {
    const { client } = connect(problem('PERMISSION_DENIED'))
    const error: unknown = await client.admission.set({ paused: true }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'PERMISSION_DENIED', status: 403 })
    expect(String(error)).not.toContain('token-1')
  })

  it.each([undefined, ''])(
    'without a token (%j) throws an error that names it, and does not use an application’s key instead',
    (adminToken) => {
      vi.stubEnv('GATEWAY_API_KEY', 'gk_of_an_application')
      const options = { baseUrl: ORIGIN, ...(adminToken === undefined ? {} : { adminToken }) }
      // As an untyped program would call it.
      expect(() => Reflect.apply(createAdminClient, undefined, [options])).toThrow('adminToken is missing')
      vi.unstubAllEnvs()
    },
  )

  it('has no operation with an idempotency key', () => {
    expect(Object.values(ADMIN_OPERATIONS).filter((operation) => 'key' in operation)).toEqual([])
  })
})
