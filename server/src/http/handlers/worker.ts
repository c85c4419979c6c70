import type { WORKER_OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import type { operations } from '@conversation-gateway/openapi/generated/worker-closed'
import type { FastifyReply } from 'fastify'
import type { WorkerUseCases } from '../../gateway/worker-api/worker-api.ts'
import type { Handlers } from '../operation.ts'
import { serveDownload } from './serve-download.ts'

/** The worker API: what of a request each use case is given. */
export const createWorkerHandlers = (useCases: WorkerUseCases): Handlers<operations, typeof WORKER_OPERATIONS> => ({
  openSession: ({ device, body }) => useCases.openSession(device, body),
  closeSession: ({ device, path }) => useCases.closeSession(device, path.session_id),
  claimRuns: ({ device, path, body, reply }) => useCases.claimRuns(device, path.session_id, body, whenGone(reply)),
  beat: ({ device, path, body, reply }) => useCases.beat(device, path.session_id, body, whenGone(reply)),

  sendSteps: ({ device, path, body }) => useCases.sendSteps(device, path.run_id, body),
  endRun: ({ device, path, body }) => useCases.endRun(device, path.run_id, body),
  readContext: ({ device, path, query }) => useCases.readContext(device, path.run_id, query.session_id),

  readRunResource: ({ device, path, query }) => useCases.readResource(device, placeOf(path, query)),
  putRunResource: ({ device, path, query, body }) =>
    useCases.putResource(
      device,
      { ...placeOf(path, query), filename: query.filename, contentType: query.content_type },
      body,
    ),
  readRunResourceContent: async ({ device, path, query }) => {
    const outcome = await useCases.readResourceContent(device, placeOf(path, query))
    return outcome.kind === 'refused' ? outcome : serveDownload(outcome.body)
  },
})

const placeOf = (path: { run_id: string; resource_id: string }, query: { session_id?: string | undefined }) => ({
  runId: path.run_id,
  resourceId: path.resource_id,
  sessionId: query.session_id,
})

/** Fires when the client goes without its answer. */
const whenGone = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  const leave = (): void => {
    if (!raw.writableFinished) gone.abort()
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return gone.signal
}
