import type { Admitted, Found, FoundJson, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { GatewayContext } from '../../src/gateway/context.ts'
import type { Db, Statement } from '../../src/store/db.ts'
import { newConversationId, newService, sendText, takeWork } from '../support/gateway-fixture.ts'

/** The answer to a request; throws if it was refused. */
export const answerOf = <Body>(outcome: Admitted<Body> | Found<Body> | FoundJson<Body> | Refusal): Body => {
  if (outcome.kind === 'refused') throw new Error(`refused with ${outcome.code}: ${outcome.detail}`)
  return outcome.kind === 'found_json' ? JSON.parse(outcome.json) : outcome.body
}

/** The code of a refusal, or “not refused”. */
export const codeOf = (outcome: { readonly kind: string; readonly code?: string }): string =>
  outcome.kind === 'refused' ? (outcome.code ?? '') : 'not refused'

/** A run that the device of a new service executes. */
export const startRun = async (context: GatewayContext) => {
  const service = await newService(context.db, context.clock.now())
  const tenant = { appId: service.appId, subject: 'subject' }
  const conversationId = await newConversationId(context, tenant, service.endpointId)
  const { run_id: runId } = answerOf(await sendText(context, tenant, conversationId))
  await takeWork(context, { deviceId: service.deviceId, workerId: 'worker', limit: 1 })
  return { tenant, run: { appId: service.appId, conversationId, runId } }
}

const CLEAR: Statement = {
  name: 'test_clear_configuration',
  access: 'write',
  text: 'truncate apps, api_keys, devices, endpoints, endpoint_versions, webhooks, callbacks',
}

/** Removes all records that a bootstrap file creates. */
export const clearConfiguration = (db: Db) => db.query(CLEAR, [])
