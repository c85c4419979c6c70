/** An error as text for the operator: the gateway's detail and code, or the message of another error. */
export const describeError = (error: unknown): string => {
  const [, code, detail] = /^\d{3} ([A-Z_]+): (.*)$/s.exec(messageOf(error)) ?? []
  return code === undefined ? messageOf(error) : `${detail} (${code})`
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the gateway does not know the token (any more). */
export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 401

/** Whether no usable answer arrived, for example during a restart of the gateway. */
export const isUnreachable = (error: unknown): boolean =>
  !(error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500)

/** An error of one part of a page, as text; null if no answer arrived, which the page reports once for all parts. */
export const describeProblem = (error: unknown): string | null =>
  error instanceof Error && 'status' in error ? describeError(error) : null
