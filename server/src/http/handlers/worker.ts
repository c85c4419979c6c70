import type { WORKER_OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { operations } from '@conversation-gateway/openapi/generated/worker-closed'
import type { FastifyReply } from 'fastify'
import type { WorkerApi } from '../../gateway/worker-api/worker-api.ts'
import type { Handlers } from '../operation.ts'
import { serveDownload } from './serve-download.ts'

export type WorkerHandlers = Handlers<operations, typeof WORKER_OPERATIONS>

/** The worker API. */
export const createWorkerHandlers = (workerApi: WorkerApi): WorkerHandlers => ({
  openSession: ({ device, body }) => workerApi.openSession(device, body),
  closeSession: ({ device, path }) => workerApi.closeSession(device, path.session_id),
  claimRuns: ({ device, path, body, reply }) => workerApi.claimRuns(device, path.session_id, body, whenGone(reply)),
  beat: ({ device, path, body, reply }) => workerApi.beat(device, path.session_id, body, whenGone(reply)),

  sendSteps: ({ device, path, body }) => workerApi.sendSteps(device, path.run_id, body),
  endRun: ({ device, path, body }) => workerApi.endRun(device, path.run_id, body),
  readContext: ({ device, path, query }) => workerApi.readContext(device, path.run_id, query.session_id),

  readRunResource: ({ device, path, query }) => workerApi.readResource(device, placeOf(path, query)),
  putRunResource: ({ device, path, query, body }) =>
    workerApi.putResource(
      device,
      { ...placeOf(path, query), filename: query.filename, contentType: query.content_type },
      body,
    ),
  readRunResourceContent: async ({ device, path, query }) =>
    serveDownload(await workerApi.readResourceContent(device, placeOf(path, query))),
})

const placeOf = (path: { run_id: string; resource_id: string }, query: { session_id?: string | undefined }) => ({
  runId: path.run_id,
  resourceId: path.resource_id,
  sessionId: query.session_id,
})

/** Fires when the client disconnects before the answer has been sent. */
const whenGone = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  const leave = (): void => {
    if (!raw.writableFinished) gone.abort()
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return gone.signal
}
