import type { FastifyReply } from 'fastify'

export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  sendJsonText(reply, status, JSON.stringify(body))

/** Answers with JSON. The charset is named so that the framework sends the text as it is. */
export const sendJsonText = (reply: FastifyReply, status: number, json: string): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(json)
