import type {
  Claimed,
  ClaimedRun,
  EndedRun,
  News,
  Session,
  StepsTaken,
} from '@conversation-gateway/openapi/generated/worker-closed'
import type { Answer, Client } from './client.ts'
import { createClient } from './client.ts'
import type { RunningGateway } from './running-gateway.ts'

/** A remote worker that the test plays step by step over plain HTTP. */
export interface PlayedWorker {
  readonly sessionId: string
  readonly leaseMs: number
  claim(runs?: readonly string[], more?: object): Promise<Answer<Claimed>>
  /** Claims a run, and waits for it up to 20 seconds; throws if there is none. */
  take(runs?: readonly string[]): Promise<ClaimedRun>
  beat(runs?: readonly object[], waitMs?: number): Promise<Answer<News>>
  steps(runId: string, index: number, steps: readonly object[]): Promise<Answer<StepsTaken & { detail?: string }>>
  end(runId: string, index: number, end: object, steps?: readonly object[]): Promise<Answer<EndedRun>>
  readonly client: Client
}

/** A device with a service for workers, and a key. */
export const createWorkerDevice = async ({ operator }: Pick<RunningGateway, 'operator'>, name: string) => {
  const deviceId = `dev_${name}`
  const endpointId = `ep_${name}`
  const made = [
    await operator.request('POST', '/admin/v1/devices', { body: { device_id: deviceId } }),
    await operator.request('POST', '/admin/v1/apps/app_test/endpoints', {
      body: { endpoint_id: endpointId, device_id: deviceId, assistant: { type: 'worker' } },
    }),
  ]
  if (made.some(({ status }) => status !== 201)) throw new Error(JSON.stringify(made.map(({ body }) => body)))
  return { deviceId, endpointId, ...(await createDeviceKey(operator, deviceId)) }
}

export const createDeviceKey = async (operator: Client, deviceId: string): Promise<{ key: string; keyId: string }> => {
  const { body } = await operator.request<{ key: string; key_id: string }>(
    'POST',
    `/admin/v1/devices/${deviceId}/keys`,
    { body: {} },
  )
  return { key: body.key, keyId: body.key_id }
}

export const openWorker = async (baseUrl: string, key: string, slots = 4): Promise<PlayedWorker> => {
  const client = createClient({ baseUrl, key })
  const opened = await client.request<Session>('POST', '/worker/v1/sessions', {
    body: { name: 'test', version: '1', slots },
  })
  if (opened.status !== 201) throw new Error(`no session: ${JSON.stringify(opened.body)}`)
  const sessionId = opened.body.session_id
  const at = `/worker/v1/sessions/${sessionId}`
  const claim: PlayedWorker['claim'] = (runs = [], more = {}) =>
    client.request('POST', `${at}/claims`, { body: { limit: 1, runs, ...more } })
  return {
    client,
    sessionId,
    leaseMs: opened.body.lease_ms,
    claim,
    take: async (runs) => {
      const { body } = await claim(runs, { wait_ms: 20_000 })
      const [run] = body.runs
      if (run === undefined) throw new Error('no run was claimed')
      return run
    },
    beat: (runs = [], waitMs = 0) => client.request('POST', `${at}/heartbeats`, { body: { runs, wait_ms: waitMs } }),
    steps: (runId, index, steps) =>
      client.request('POST', `/worker/v1/runs/${runId}/steps`, { body: { session_id: sessionId, index, steps } }),
    end: (runId, index, end, steps) =>
      client.request('POST', `/worker/v1/runs/${runId}/end`, {
        body: { session_id: sessionId, index, end, ...(steps === undefined ? {} : { steps }) },
      }),
  }
}
