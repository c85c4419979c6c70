import { expect, test } from 'vitest'
import { createApp } from '../../src/gateway/admin/apps.ts'
import { createDevice, getDevice, listDevices, moveDevice, updateDevice } from '../../src/gateway/admin/devices.ts'
import { createEndpoint, getEndpoint, listEndpoints, publishVersion } from '../../src/gateway/admin/endpoints.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'
import { beat, createTestClock, SILENT, testContext } from '../support/gateway-fixture.ts'
import { answerOf, codeOf } from './support.ts'

const newService = async (context: ReturnType<typeof testContext>) => {
  const { app_id: appId } = answerOf(await createApp(context, { owner_id: 'owner' }))
  const { device_id: deviceId } = answerOf(await createDevice(context, {}))
  await beat(context.db, deviceId, context.clock.now())
  const endpoint = answerOf(await createEndpoint(context, appId, { device_id: deviceId }))
  return { appId, deviceId, endpoint, tenant: { appId, subject: 'subject' } }
}

eachDatabase('devices and services', (database) => {
  const setUp = () => {
    const clock = createTestClock()
    return { clock, context: testContext(database.db, clock) }
  }

  test('a device is active, and online while its heartbeat is fresh [ADMIN-05, DEV-04]', async () => {
    const { context, clock } = setUp()
    const device = answerOf(await createDevice(context, { name: 'Rack 1', stream_limit: 7 }))
    expect(device).toEqual({
      device_id: expect.stringMatching(/^dev_[0-9a-f]{32}$/),
      name: 'Rack 1',
      state: 'active',
      online: false,
      last_seen_at: null,
      pending_limit: null,
      stream_limit: 7,
      limits_in_force: { pending_limit: 1000, stream_limit: 7 },
      created_at: '2026-01-01T00:00:00.000Z',
    })
    await beat(context.db, device.device_id, clock.now())
    clock.pass(29_999)
    expect(answerOf(await getDevice(context, device.device_id))).toMatchObject({
      online: true,
      last_seen_at: '2026-01-01T00:00:00.000Z',
    })
    clock.pass(1)
    expect(answerOf(await getDevice(context, device.device_id))).toMatchObject({ online: false })
  })

  test('a change of a device affects only the given members, and an existing ID is refused [ADMIN-05, LIMIT-24]', async () => {
    const { context } = setUp()
    const device = answerOf(await createDevice(context, { name: 'Rack 1', pending_limit: 4 }))
    const changed = answerOf(await updateDevice(context, device.device_id, { name: null, stream_limit: 1 }))
    expect(changed).toEqual({
      ...device,
      name: null,
      stream_limit: 1,
      limits_in_force: { pending_limit: 4, stream_limit: 1 },
    })
    expect(codeOf(await createDevice(context, { device_id: device.device_id }))).toBe('ALREADY_EXISTS')
    expect(answerOf(await getDevice(context, device.device_id))).toEqual(changed)
    expect(codeOf(await updateDevice(context, 'dev_nobody', { name: 'x' }))).toBe('NOT_FOUND')
    expect(codeOf(await moveDevice(context, 'dev_nobody', 'pause'))).toBe('NOT_FOUND')
    expect(codeOf(await listDevices(context, { limit: 1, before: 'dev_nobody' }))).toBe('NOT_FOUND')
  })

  test('a transition of a device has no effect in a state that does not allow it [ADMIN-05]', async () => {
    const { context } = setUp()
    const { device_id } = answerOf(await createDevice(context, {}))
    const table = [
      ['resume', 'active'],
      ['enable', 'active'],
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['enable', 'paused'],
      ['resume', 'active'],
      ['pause', 'paused'],
      ['disable', 'disabled'],
      ['pause', 'disabled'],
      ['resume', 'disabled'],
      ['enable', 'active'],
    ] as const
    for (const [move, state] of table)
      expect([move, answerOf(await moveDevice(context, device_id, move)).state]).toEqual([move, state])
  })

  test('resuming a device wakes up its workers', async () => {
    const { context } = setUp()
    const announced: string[] = []
    const observed = { ...context, wakeups: { ...SILENT, workAvailable: (id: string) => announced.push(id) } }
    const { device_id } = answerOf(await createDevice(observed, {}))
    await moveDevice(observed, device_id, 'pause')
    expect(announced).toEqual([])
    await moveDevice(observed, device_id, 'resume')
    expect(announced).toEqual([device_id])
  })

  test('a new service is published as version 1 of the echo assistant by default [ADMIN-06]', async () => {
    const { context } = setUp()
    const { appId, deviceId, endpoint } = await newService(context)
    expect(endpoint).toEqual({
      endpoint_id: expect.stringMatching(/^ep_[0-9a-f]{32}$/),
      app_id: appId,
      device_id: deviceId,
      name: null,
      binding_version: 1,
      compatibility: 'compatible',
      assistant: { type: 'echo' },
      accepts: [],
      input_schema: null,
      output_schema: null,
      context_activities: false,
      max_run_seconds: 3600,
      previous_secret_expires_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      published_at: '2026-01-01T00:00:00.000Z',
    })
    expect(answerOf(await getEndpoint(context, appId, endpoint.endpoint_id))).toEqual(endpoint)
    const body = { device_id: deviceId, endpoint_id: endpoint.endpoint_id }
    expect(codeOf(await createEndpoint(context, appId, body))).toBe('ALREADY_EXISTS')
    expect(codeOf(await createEndpoint(context, appId, { device_id: 'dev_nobody' }))).toBe('NOT_FOUND')
    expect(codeOf(await createEndpoint(context, 'app_nobody', { device_id: deviceId }))).toBe('NOT_FOUND')
  })

  test('pages of the services of an application cannot start at a service of another application', async () => {
    const { context } = setUp()
    const [one, other] = [await newService(context), await newService(context)]
    const page = { limit: 1, before: one.endpoint.endpoint_id }
    expect(codeOf(await listEndpoints(context, other.appId, page))).toBe('NOT_FOUND')
  })

  test('a version keeps omitted members from the previous version, and is compatible by default [ADMIN-06, VER-07]', async () => {
    const { context, clock } = setUp()
    const { appId, endpoint } = await newService(context)
    clock.pass(5000)
    const second = answerOf(
      await publishVersion(context, appId, endpoint.endpoint_id, { assistant: { type: 'script' } }),
    )
    const expected = { binding_version: 2, assistant: { type: 'script' }, published_at: '2026-01-01T00:00:05.000Z' }
    expect(second).toEqual({ ...endpoint, ...expected })
    const body = { accepts: ['text/*'], compatibility: 'breaking' as const }
    const third = answerOf(await publishVersion(context, appId, endpoint.endpoint_id, body))
    expect(third).toEqual({ ...second, ...body, binding_version: 3 })
    expect(answerOf(await getEndpoint(context, appId, endpoint.endpoint_id))).toEqual(third)
    expect(codeOf(await publishVersion(context, appId, 'ep_nobody', {}))).toBe('NOT_FOUND')
  })
})

onPostgres('concurrent publications', (database) => {
  test('get different versions, and the newest is complete', async () => {
    const context = testContext(database.db, createTestClock())
    const other = testContext(database.openAnother(), context.clock)
    const { appId, endpoint } = await newService(context)
    const published = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const outcome = await publishVersion(index % 2 === 0 ? context : other, appId, endpoint.endpoint_id, {})
        return answerOf(outcome).binding_version
      }),
    )
    expect(published.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2))
    expect(answerOf(await getEndpoint(context, appId, endpoint.endpoint_id))).toMatchObject({
      binding_version: 21,
      assistant: { type: 'echo' },
    })
  })
})
