import type { HeaderLine } from '../header-lines.ts'

interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

interface Answer {
  readonly status: number
  readonly headerLines: readonly HeaderLine[]
  readonly bytes: Buffer
}

/** Formats a request for a transcript. */
export const describeRequest = ({ method, path, headers = {}, body }: Request): string => {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}`),
  )
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body === undefined ? '' : describeBody(Buffer.from(body))].join(
    '\n',
  )
}

export const describeHead = (status: number, lines: readonly HeaderLine[]): string =>
  [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\n')

export const describeAnswer = ({ status, headerLines, bytes }: Answer): string =>
  `${describeHead(status, headerLines)}\n\n${describeBody(bytes)}`

const describeBody = (bytes: Buffer): string => {
  const text = bytes.toString('utf8')
  return text.includes('�') ? `(${bytes.length} bytes, not UTF-8)` : text
}
