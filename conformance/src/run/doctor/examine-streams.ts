import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createFrameReader, type Frame } from '../../kit/server/frames.ts'
import type { Deployment } from './deployment.ts'
import type { Finding } from './finding.ts'

const SUBJECT_STREAMS = 4
/** An event stream is not buffered if its first bytes arrive immediately, not with the first ping. */
const FIRST_BYTES_MS = 5000
const EVENT_MS = 15_000

/**
 * Examines whether event streams arrive immediately, uncompressed and with pings, whether they can be resumed, and how
 * many a subject may open.
 */
export async function* examineStreams(deployment: Deployment, conversationId: string): AsyncGenerator<Finding> {
  const path = `/api/v1/conversations/${conversationId}/events`
  const { response, close } = await deployment.open(path, { 'accept-encoding': 'gzip, br' })
  const listener = listen(response)
  try {
    if (response.statusCode !== 200) {
      yield {
        kind: 'bad',
        subject: 'event stream',
        seen: `answered with ${response.statusCode}`,
        remedy: 'Check that the proxy in front passes the Accept header on.',
      }
      return
    }
    const coding = response.headers['content-encoding']
    if (coding === undefined) yield { kind: 'good', subject: 'compression', seen: 'event streams are not compressed' }
    else {
      yield {
        kind: 'bad',
        subject: 'compression',
        seen: `event streams are compressed (${coding}), which delays events`,
        remedy: 'Switch compression off for text/event-stream.',
      }
      return
    }
    const firstBytes = await listener.until(FIRST_BYTES_MS, (text) => text !== '')
    yield firstBytes
      ? { kind: 'good', subject: 'buffering', seen: 'the first bytes of a stream arrive immediately' }
      : {
          kind: 'bad',
          subject: 'buffering',
          seen: `no bytes arrived within ${FIRST_BYTES_MS / 1000} s of opening a stream`,
          remedy:
            'Switch buffering off for event streams (nginx: proxy_buffering off) and let the proxy honour X-Accel-Buffering.',
        }
    const sent = await deployment.ask(
      'POST',
      `/api/v1/conversations/${conversationId}/messages`,
      { 'idempotency-key': randomUUID() },
      { expected_generation: 1, input: { text: 'conformance doctor' } },
    )
    if (sent.status !== 202) {
      yield {
        kind: 'notice',
        subject: 'events',
        seen: `a message was answered with ${sent.status}, so events could not be examined`,
        remedy: 'Check that admission is not paused and that the device of the service is online.',
      }
      return
    }
    const event = await listener.until(EVENT_MS, () => listener.frames.some(({ id }) => id !== undefined))
    yield event
      ? { kind: 'good', subject: 'events', seen: 'arrive while the stream stays open' }
      : {
          kind: 'bad',
          subject: 'events',
          seen: `no event arrived within ${EVENT_MS / 1000} s of an admitted message`,
          remedy: 'Something buffers the stream: switch buffering off between gateway and client.',
        }
    yield* examineResume(deployment, path, listener.frames)
    yield* examinePing(deployment, listener)
  } finally {
    close()
  }
  yield* examineLimit(deployment, path)
}

async function* examineResume(deployment: Deployment, path: string, frames: readonly Frame[]): AsyncGenerator<Finding> {
  const first = frames.find(({ id }) => id !== undefined)
  if (first?.id === undefined) return
  const { response, close } = await deployment.open(path, { 'last-event-id': first.id })
  const listener = listen(response)
  await listener.until(EVENT_MS, () => listener.frames.some(({ id }) => id !== undefined))
  close()
  const next = listener.frames.find(({ id }) => id !== undefined)?.id
  if (next === undefined) yield { kind: 'unknown', subject: 'resume', seen: `no event came after seq ${first.id}` }
  else if (Number(next) > Number(first.id))
    yield { kind: 'good', subject: 'resume', seen: `Last-Event-ID ${first.id} resumes at ${next}` }
  else
    yield {
      kind: 'bad',
      subject: 'resume',
      seen: `Last-Event-ID ${first.id} starts again at ${next}`,
      remedy: 'Let the proxy pass the Last-Event-ID header on.',
    }
}

async function* examinePing(deployment: Deployment, listener: Listener): AsyncGenerator<Finding> {
  const since = performance.now()
  const before = listener.frames.length
  const isPing = (frame: Frame): boolean => frame.comments.some((comment) => comment.trim().startsWith('ping'))
  const arrived = await listener.until(deployment.waitMs, () => listener.frames.slice(before).some(isPing))
  const seconds = Math.round((performance.now() - since) / 1000)
  if (arrived)
    yield {
      kind: 'good',
      subject: 'ping',
      seen: `arrived after ${seconds} s; idle timeouts between gateway and client must be longer than the interval`,
    }
  else if (listener.isOver())
    yield {
      kind: 'bad',
      subject: 'ping',
      seen: `the stream was closed after ${seconds} s without data`,
      remedy: 'Raise the idle timeout of the proxy above the ping interval (nginx: proxy_read_timeout 75s).',
    }
  else
    yield {
      kind: 'notice',
      subject: 'ping',
      seen: `none arrived within ${deployment.waitMs / 1000} s`,
      remedy:
        'Without pings, clients cannot detect that an idle connection was cut. If the interval is longer, increase --wait.',
    }
}

async function* examineLimit(deployment: Deployment, path: string): AsyncGenerator<Finding> {
  const opened = await Promise.all(Array.from({ length: SUBJECT_STREAMS + 1 }, () => deployment.open(path)))
  const statuses = opened.map(({ response }) => response.statusCode)
  const refused = opened.find(({ response }) => response.statusCode === 429)
  for (const { close } of opened) close()
  const taken = statuses.filter((status) => status === 200).length
  if (refused === undefined)
    yield {
      kind: 'notice',
      subject: 'stream limit',
      seen: `${taken} streams of one subject were opened; the specification limits a subject to ${SUBJECT_STREAMS}`,
    }
  else
    yield refused.response.headers['retry-after'] === undefined
      ? {
          kind: 'bad',
          subject: 'stream limit',
          seen: `stream ${taken + 1} is refused with 429 without Retry-After`,
          remedy: 'Let the proxy pass Retry-After on.',
        }
      : {
          kind: 'good',
          subject: 'stream limit',
          seen: `${taken} streams of a subject are accepted, and the next gets 429 with Retry-After; an application may have 16 unless the operator raises its limit (metric of the reference gateway: gateway_app_open_streams)`,
        }
}

interface Listener {
  readonly frames: readonly Frame[]
  isOver(): boolean
  /** Whether the condition was met before the time limit. */
  until(milliseconds: number, holds: (text: string) => boolean): Promise<boolean>
}

function listen(response: IncomingMessage): Listener {
  const frames: Frame[] = []
  const reader = createFrameReader((frame) => frames.push(frame))
  let text = ''
  let over = false
  let wake = (): void => {}
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    text += piece
    reader.feed(piece)
    wake()
  })
  const end = (): void => {
    over = true
    wake()
  }
  response.on('close', end).on('error', end)
  return {
    frames,
    isOver: () => over,
    until: (milliseconds, holds) =>
      new Promise((resolve) => {
        const finish = (held: boolean): void => {
          clearTimeout(timer)
          wake = () => {}
          resolve(held)
        }
        const timer = setTimeout(() => finish(false), milliseconds)
        wake = () => {
          if (holds(text)) finish(true)
          else if (over) finish(false)
        }
        wake()
      }),
  }
}
