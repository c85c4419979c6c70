import type { SavedEndpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import type { RunningGateway } from './running-gateway.ts'

const SERVICES = '/admin/v1/apps/app_test/endpoints'

/** Publishes a new service of `app_test` on `dev_test`. */
export const publishService = (running: RunningGateway, service: object): Promise<SavedEndpoint> =>
  post(running, SERVICES, { device_id: 'dev_test', ...service })

/** Publishes the next version of a service of `app_test`. */
export const publishVersion = (running: RunningGateway, endpointId: string, version: object): Promise<SavedEndpoint> =>
  post(running, `${SERVICES}/${endpointId}/versions`, version)

const post = async ({ operator }: RunningGateway, path: string, body: object): Promise<SavedEndpoint> => {
  const answer = await operator.request<SavedEndpoint>('POST', path, { body })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
