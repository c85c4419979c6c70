import type { FastifyInstance, FastifyReply } from 'fastify'
import type { EventSink } from '../../gateway/stream/event-sink.ts'
import type { Log } from '../observe.ts'
import type { ResponseCheck } from './check-responses.ts'
import { INTERNAL, problemOf } from './problem.ts'

export interface InstalledCheck {
  /** The violations found so far, as text. */
  readonly violations: readonly string[]
  /** Checks the head of a stream, and then each event that goes through its sink. */
  inspectStream(sink: EventSink, reply: FastifyReply): EventSink
}

/** Collects and logs each violation of the contract, and answers it with 500 INTERNAL. */
export const installResponseCheck = (app: FastifyInstance, check: ResponseCheck, log: Log): InstalledCheck => {
  const violations: string[] = []
  const report = (found: readonly string[], requestId: string): void => {
    violations.push(...found)
    log.error({ request_id: requestId, violations: found }, 'contract violated')
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const body = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString('utf8') : null
    const { operationId } = request.exchange
    const found = check.checkAnswer({ operationId, status: reply.statusCode, headers: reply.getHeaders(), body })
    if (found.length === 0) {
      done(null, payload)
      return
    }
    report(found, request.id)
    const problem = problemOf(INTERNAL, request.id)
    reply.code(problem.status).headers(problem.headers).removeHeader('content-length')
    done(null, JSON.stringify(problem.body))
  })

  return {
    violations,
    inspectStream: (sink, reply) => {
      const { id, exchange } = reply.request
      const answer = { operationId: exchange.operationId, status: 200, headers: reply.raw.getHeaders(), body: null }
      const head = check.checkAnswer(answer)
      if (head.length > 0) report(head, id)
      return inspectEvents(sink, check, (found) => report(found, id))
    },
  }
}

/** A sink that checks each frame, and breaks off at an invalid one. */
const inspectEvents = (sink: EventSink, check: ResponseCheck, report: (found: string[]) => void): EventSink => {
  let rest = ''
  return {
    get bufferedBytes() {
      return sink.bufferedBytes
    },
    write: (bytes) => {
      const frames = `${rest}${Buffer.from(bytes).toString('utf8')}`.split('\n\n')
      rest = frames.pop() ?? ''
      const found = frames.flatMap((frame) => checkFrame(frame, check))
      if (found.length === 0) return sink.write(bytes)
      report(found)
      sink.destroy()
      return false
    },
    drained: () => sink.drained(),
    onClose: (listener) => sink.onClose(listener),
    end: () => sink.end(),
    destroy: () => sink.destroy(),
  }
}

/** A frame is a comment, or one event with consistent `id`, `event` and one `data` line (D-30). */
const checkFrame = (frame: string, check: ResponseCheck): string[] => {
  if (frame.startsWith(':')) return []
  const [id, type, data, more] = frame.split('\n')
  if (!id?.startsWith('id: ') || !type?.startsWith('event: ') || !data?.startsWith('data: ') || more !== undefined)
    return ['the frame is not one event']
  const envelope: unknown = JSON.parse(data.slice('data: '.length))
  const agrees =
    typeof envelope === 'object' &&
    envelope !== null &&
    'seq' in envelope &&
    'type' in envelope &&
    `id: ${envelope.seq}` === id &&
    `event: ${envelope.type}` === type
  return agrees ? check.checkEvent(envelope) : ['the frame and its event differ in seq or type']
}
