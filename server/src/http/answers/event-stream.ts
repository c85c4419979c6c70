import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { EventSink } from '../../gateway/stream/event-sink.ts'
import { STREAM_START } from './sse-frame.ts'

/** No intermediary may cache, change or buffer a stream (D-30, D-53). */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Takes the connection over from the framework, and begins an event stream by sending its first bytes. The answer has
 * the reply's headers and the request's ID (D-10).
 */
export const beginEventStream = (reply: FastifyReply): EventSink => {
  reply.hijack()
  const { raw, request } = reply
  raw.socket?.setNoDelay(true)
  const headers = { ...reply.getHeaders(), 'x-request-id': request.id, ...STREAM_HEADERS }
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200)
  raw.write(STREAM_START)
  return responseSink(raw)
}

/** A response with sent headers, as the sink of a stream. */
export const responseSink = (response: ServerResponse): EventSink => {
  // A broken connection is reported by `close`; without a listener its error would end the process.
  response.on('error', () => {})
  // One shared listener on the response, because Node warns above ten.
  const onClosed = new Set<() => void>()
  response.once('close', () => {
    for (const listener of onClosed) listener()
  })
  return {
    get bufferedBytes() {
      return response.writableLength
    },
    write: (bytes) => !isOver(response) && response.write(bytes),
    drained: () =>
      new Promise((resolve) => {
        if (!response.writableNeedDrain || response.closed) {
          resolve()
          return
        }
        const settle = (): void => {
          response.off('drain', settle)
          onClosed.delete(settle)
          resolve()
        }
        response.on('drain', settle)
        onClosed.add(settle)
      }),
    onClose: (listener) => {
      if (response.closed || response.destroyed) setImmediate(listener)
      else onClosed.add(listener)
    },
    end: () => {
      if (!isOver(response)) response.end()
    },
    destroy: () => {
      response.destroy()
    },
  }
}

/** Whether it is too late to write. */
const isOver = (response: ServerResponse): boolean => response.destroyed || response.writableEnded
