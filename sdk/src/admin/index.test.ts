import { describe, expect, it } from 'vitest'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { createScriptedFetch, json, lost, problem, type Reply } from '../../test/support/scripted-fetch.ts'
import { ORIGIN } from '../../test/support/settings.ts'
import { ADMIN_OPERATIONS, createAdminClient } from './index.ts'

const connect = (...replies: readonly Reply[]) => {
  const { fetch, requests } = createScriptedFetch(...replies)
  const timing = createManualTiming()
  return { client: createAdminClient({ baseUrl: ORIGIN, adminToken: 'token-1', fetch, timing }), timing, requests }
}

describe('the operator’s client', () => {
  it('carries the token, and neither subject nor key', async () => {
    const { client, requests } = connect(json(201, { app_id: 'app_1' }))
    await client.apps.create({ owner_id: 'owner_1' })
    expect(requests[0]?.url).toBe(`${ORIGIN}/admin/v1/apps`)
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      accept: 'application/json, application/problem+json',
      authorization: 'Bearer token-1',
      'content-type': 'application/json',
    })
  })

  it('repeats a write that had no effect, and leaves one unknown that may have had one', async () => {
    const { client, timing, requests } = connect(problem('CAPABILITY_UNAVAILABLE'), lost)
    const outcome = await timing.drive(client.apps.create({ owner_id: 'owner_1' }).outcome())
    expect(outcome).toMatchObject({ kind: 'unknown', handle: null })
    expect(requests).toHaveLength(2)
  })

  it('repeats a PUT, which does the same when done twice', async () => {
    const { client, timing } = connect(lost, json(200, { paused: true }))
    expect(await timing.drive(client.admission.set({ paused: true }))).toEqual({ paused: true })
  })

  it('repeats reads', async () => {
    const { client, timing } = connect(lost, json(200, { apps: [] }))
    expect(await timing.drive(client.apps.list().withResponse())).toMatchObject({ data: { apps: [] }, attempts: 2 })
  })

  it('has no operation that is replayed under a key', () => {
    expect(Object.values(ADMIN_OPERATIONS).filter((operation) => 'key' in operation)).toEqual([])
  })
})
