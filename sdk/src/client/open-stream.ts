import { attemptOnce } from '../transport/attempt.ts'
import type { ObservedCall } from '../transport/observed-call.ts'
import type { Http, Send } from './call-specs.ts'
import type { CallOptions, Settings } from './options.ts'
import { callHeaders, contractHeaders } from './request-headers.ts'

export interface StreamRequest<Paths extends object> {
  readonly settings: Settings
  readonly http: Http<Paths>
  readonly subject: string | null | undefined
  readonly send: Send<Paths, unknown>
  readonly resumeHeader: string
  /** The seq to resume after; null for the beginning. */
  readonly position: number | null
  readonly options: CallOptions & { readonly signal: AbortSignal }
}

/** One connection of a stream, made once; rejects with what stood in its way. */
export async function openStream<Paths extends object>(
  call: ObservedCall,
  { settings, http, subject, send, resumeHeader, position, options }: StreamRequest<Paths>,
): Promise<Response> {
  const { signal } = options
  const { response } = await send(http, {
    params: { header: contractHeaders(subject, null, options.requestId) },
    headers: {
      ...callHeaders(settings, options),
      Accept: 'text/event-stream',
      ...(position === null ? {} : { [resumeHeader]: String(position) }),
    },
    fetch: async ({ url, method, headers }) => {
      const attempt = await call.send({ url, method, headers, body: undefined }, (request) =>
        attemptOnce(request, {
          ...settings,
          expected: 'stream',
          status: 200,
          timeoutMs: settings.times.attemptTimeoutMs,
          signal,
        }),
      )
      if (attempt.kind === 'aborted') throw signal.reason
      if (attempt.kind === 'failed') throw attempt.error
      return attempt.response
    },
  })
  return response
}
