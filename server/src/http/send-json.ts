import type { FastifyReply } from 'fastify'

/** Answers with JSON. The charset is named so that the framework sends the text as it is. */
export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
