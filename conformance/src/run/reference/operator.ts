import type { Refusal } from '../../kit/config/driver.ts'

/** Calls to the admin API of the reference gateway (D-46). */
export interface Operator {
  call<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body>
  /** As `call`, but returns a refusal as a result. */
  attempt<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body | Refusal>
}

/** The statuses of refused operator requests. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409])

export const isRefusal = (answer: unknown): answer is Refusal => typeof Object(answer).refused === 'string'

export function createOperator(origin: string, token: string): Operator {
  const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${origin}/admin/v1${path}`, {
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
    attempt: async (method, path, body) => {
      const response = await ask(method, path, body)
      return REFUSALS.has(response.status) ? { refused: await response.text() } : read(method, path, response)
    },
  }
}
