import { randomUUID } from 'node:crypto'
import type { ServerConfig } from '../config/server-config.ts'
import { messageOf } from '../message-of.ts'
import { SystemAbsentError } from '../system.ts'
import { createTranscript } from '../transcript.ts'
import { utf8Header } from '../utf8-header.ts'
import { createWaits } from '../waits.ts'
import type { Pacer } from './pacer.ts'
import { type Answer, createWire, type WireRequest } from './wire.ts'

/** Default time limit for a server's first two answers. */
const DEFAULT_START_MS = 15_000

/**
 * Sends two requests to the server. The first may be slow after a start. The second shows the normal speed. Resolves
 * with the number of milliseconds by which its clock is ahead of this machine's, according to the created record.
 * @throws {SystemAbsentError} An answer does not arrive in time, is not HTTP, or refuses the key.
 */
export async function probeServer(
  { baseUrl, apps, subjects, services, deadlines = {} }: ServerConfig,
  pacer: Pacer,
): Promise<number> {
  const { startMs = DEFAULT_START_MS } = deadlines
  const startedAt = performance.now()
  let aheadMs = 0
  for (const [count, nth] of ['first', 'second'].entries()) {
    const spentMs = Math.round(performance.now() - startedAt)
    const { signal } = new AbortController()
    const wire = createWire({
      baseUrl,
      answerMs: Math.max(startMs - spentMs, 1),
      transcript: createTranscript(String),
      waits: createWaits(),
      signal,
    })
    const request: WireRequest = {
      method: 'POST',
      path: '/api/v1/conversations',
      headers: {
        authorization: `Bearer ${apps.first.key}`,
        'x-service-subject': utf8Header(subjects.first),
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ endpoint_id: services.main }),
    }
    let askedAtMs = 0
    const attempt = (): Promise<Answer> => {
      askedAtMs = Date.now()
      return wire.send(request)
    }
    try {
      const { status, body, text } = await pacer.send(request, { attempt, isMet: () => false, signal })
      if (status === 401)
        throw new KeyRefusedError(
          `your key is refused: nothing was examined. ${baseUrl} answers 401 to apps.first.key: ${text.slice(0, 200)}`,
        )
      aheadMs = clockDifference(Object(body).created_at, askedAtMs, Date.now())
    } catch (error) {
      if (error instanceof KeyRefusedError) throw error
      const why = messageOf(error)
      const slow = count === 0 ? '' : ` The first answer took ${(spentMs / 1000).toFixed(1)} s.`
      throw new SystemAbsentError(
        `${baseUrl} does not answer: its ${nth} answer did not arrive. ${why}.${slow} Is it running, and is baseUrl right? deadlines.startMs gives it more time than ${startMs} ms.`,
        { cause: error },
      )
    }
  }
  return aheadMs
}

class KeyRefusedError extends SystemAbsentError {}

/**
 * A record is created between its request and the answer. A time outside of this range means that the clocks differ.
 */
function clockDifference(createdAt: unknown, askedAtMs: number, answeredAtMs: number): number {
  const createdAtMs = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  if (Number.isNaN(createdAtMs) || (createdAtMs >= askedAtMs && createdAtMs <= answeredAtMs)) return 0
  return Math.round(createdAtMs - (askedAtMs + answeredAtMs) / 2)
}
