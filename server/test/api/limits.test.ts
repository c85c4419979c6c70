import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Answer, Client } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const PENDING_PER_DEVICE = 202
/** Enough to meet near the limit, where one is counted after the other; few enough that none waits as long as a request may. */
const AT_ONCE = 20

onGateways(
  'unfinished work',
  (running) => {
    const run = (client: Client, endpointId = 'ep_script') =>
      client.post<Admission>(`/api/v1/agent-endpoints/${endpointId}/runs`, { input: { text: 'x' } })
    const limitApp = (pending: number | null) =>
      running.operator.request('PATCH', '/admin/v1/apps/app_test', { body: { pending_limit: pending } })
    const expectAdmitted = ({ status }: Answer) => expect(status).toBe(202)
    const expectRefused = (over: Answer) => {
      expect(over).toMatchObject({ status: 429, body: { code: 'PENDING_LIMIT' } })
      expect(over.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }

    test('is limited to 200 runs of an application that has no limit of its own, and then by that of the device, whoever asks; a run that has ended makes room [LIMIT-21, LIMIT-22, LIMIT-24, ERR-13, ERR-14, ERR-33]', async () => {
      await playDevice(running).beat()
      const client = running.client({ subject: 'busy' })
      const taken: Awaited<ReturnType<typeof run>>[] = []
      while (taken.length < 200) taken.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => run(client)))))
      for (const admitted of taken) expectAdmitted(admitted)
      expectRefused(await run(running.client({ subject: 'another' })))
      await client.cancel(taken[0]?.body.run_id ?? '')
      expectAdmitted(await run(client))
      expectRefused(await run(client))

      await limitApp(201)
      expectAdmitted(await run(client))
      expectRefused(await run(client))

      await limitApp(1000)
      const stranger = running.client({ key: KEYS.otherApp })
      expectAdmitted(await run(stranger, 'ep_other'))
      for (const over of [await run(stranger, 'ep_other'), await run(client)]) expectRefused(over)
    })
  },
  { ...WITHOUT_WORKER, settings: { ...SETTINGS, pendingPerDevice: PENDING_PER_DEVICE } },
)
