import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'

/** What the gateway, its database connection and its tracing are set with: secrets that no model server may be sent. */
const OWN_VARIABLE = /^(?:(?:SERVICE_)?GATEWAY_|DATABASE_URL$|PG|OTEL_)/i

export const isOwnVariable = (name: string): boolean => OWN_VARIABLE.test(name)

/** What the assistant of a version to publish must not be, as a fault below the place where it stands. */
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
