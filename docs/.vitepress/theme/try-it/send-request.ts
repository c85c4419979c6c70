import type { TryItRequest } from './build-request.ts'

/** The part of the answer that has arrived. */
export interface TryItAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** False while a stream is open. */
  readonly isComplete: boolean
}

/** Keeps only the end of a long answer: a page cannot hold hours of a stream. */
const SHOWN_CHARACTERS = 200_000

/**
 * Sends the request and reports the answer each time that more of it has arrived.
 * @throws {Error} with a sentence for the reader if no answer came or it broke off. An abort by `signal` is no error.
 */
export const sendRequest = async (
  { url, method, headers, body }: TryItRequest,
  signal: AbortSignal,
  report: (answer: TryItAnswer) => void,
): Promise<void> => {
  const response = await fetch(url, { method, headers, body, signal }).catch((error: unknown) => {
    if (signal.aborted) return null
    throw new Error(explain(url, error))
  })
  if (response === null) return
  const head = { status: response.status, statusText: response.statusText, headers: [...response.headers] }
  let text = ''
  try {
    for await (const chunk of textOf(response)) {
      text = (text + chunk).slice(-SHOWN_CHARACTERS)
      report({ ...head, body: text, isComplete: false })
    }
  } catch (error) {
    if (!signal.aborted) throw new Error(`The answer broke off: ${error instanceof Error ? error.message : error}`)
  }
  report({ ...head, body: readable(response, text), isComplete: true })
}

const textOf = async function* ({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  // Not every browser iterates over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}

const readable = ({ headers }: Response, text: string): string => {
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const explain = (url: string, error: unknown): string => {
  const { origin } = new URL(url)
  const reason = error instanceof Error ? error.message : String(error)
  return `No answer from ${origin} (${reason}). Is the gateway still running?`
}
