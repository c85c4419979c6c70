import { equal, ok } from 'node:assert/strict'
import type { ServerContext } from '../server/context.ts'
import { ask, SCOPES } from './processes.ts'

interface Listed {
  readonly apps?: readonly { readonly app_id: string }[]
  readonly endpoints?: readonly { readonly endpoint_id: string; readonly assistant: { readonly type: string } }[]
}

/** Creates a key of the demo's only application, and finds its service with the assistant `echo`. */
export async function openDemo(
  t: ServerContext,
  baseUrl: string,
  adminToken: string,
): Promise<{ readonly key: string; readonly endpointId: string }> {
  const admin = async (path: string, json?: unknown) => {
    const answer = await ask(t, `${baseUrl}/admin/v1${path}`, {
      key: adminToken,
      ...(json === undefined ? {} : { json }),
    })
    ok(answer.status < 300, answer.text)
    return answer.json
  }
  const { apps = [] }: Listed = await admin('/apps')
  equal(apps.length, 1, 'the number of applications')
  const app = `/apps/${apps[0]?.app_id}`
  const { endpoints = [] }: Listed = await admin(`${app}/endpoints`)
  const endpointId = endpoints.find(({ assistant }) => assistant.type === 'echo')?.endpoint_id
  ok(endpointId !== undefined, 'the demo has no service with the assistant echo')
  const { key } = await admin(`${app}/keys`, { scopes: SCOPES })
  return { key: String(key), endpointId }
}
