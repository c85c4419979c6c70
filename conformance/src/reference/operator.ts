/** Calls to the operator's API of the reference gateway (D-46). */
export interface Operator {
  call<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body>
  /** As `call`, but answers with the status where it is one of these refusals. */
  tryCall<Body = unknown>(method: string, path: string, refusals: readonly number[]): Promise<Body | number>
}

export function createOperator(origin: () => string, token: string): Operator {
  const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${origin()}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const read = async <Body>(method: string, path: string, response: Response): Promise<Body> => {
    const text = await response.text()
    if (!response.ok)
      throw new Error(`the operator's ${method} ${path} was answered with ${response.status}: ${text.slice(0, 400)}`)
    return JSON.parse(text)
  }
  return {
    call: async (method, path, body) => read(method, path, await ask(method, path, body)),
    tryCall: async (method, path, refusals) => {
      const response = await ask(method, path)
      return refusals.includes(response.status) ? response.status : read(method, path, response)
    },
  }
}
