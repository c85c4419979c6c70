import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'

/**
 * The environment variables of the gateway, its database connection and its tracing. They may hold secrets that must
 * not be sent to a model server.
 */
const OWN_VARIABLE = /^(?:(?:SERVICE_)?GATEWAY_|DATABASE_URL$|PG|OTEL_)/i

export const isOwnVariable = (name: string): boolean => OWN_VARIABLE.test(name)

/** Checks an assistant's `url`, and that `api_key_env` names no variable of the gateway. Null if both are usable. */
export const findAssistantFault = (
  assistant: { readonly type: string; readonly api_key_env?: string; readonly url?: string } | undefined,
  pointer: string,
): Fault | null => {
  if (assistant?.url !== undefined) {
    const url = URL.parse(assistant.url)
    const message =
      url === null
        ? 'must be an absolute URL'
        : url.username !== '' || url.password !== ''
          ? 'must not have a user name or password; put a token into the query, which is stored encrypted'
          : null
    return message === null ? null : { pointer: `${pointer}/url`, message }
  }
  const name = assistant?.api_key_env
  return name !== undefined && isOwnVariable(name)
    ? {
        pointer: `${pointer}/api_key_env`,
        message:
          'must not be a variable of the gateway itself (GATEWAY_…, SERVICE_GATEWAY_…, DATABASE_URL, PG…, OTEL_…)',
      }
    : null
}
