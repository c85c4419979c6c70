import { notFound } from '../../../openapi/src/behaviour/refusal.ts'
import type { Handler } from './handler.ts'
import { answer } from './respond.ts'

/** A service of the gateway in memory takes any data and any attachment. */
export const getAgentEndpoint: Handler<'getAgentEndpoint'> = (state, { ids: { endpoint_id } }) =>
  state.isEndpoint(endpoint_id)
    ? answer(200, {
        endpoint_id,
        name: null,
        binding_version: 1,
        accepts: ['*/*'],
        input_schema: null,
        output_schema: null,
      })
    : notFound('service')
