import type { FastifyReply } from 'fastify'

export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  sendJsonText(reply, status, JSON.stringify(body))

/** Answers with JSON. Set the charset, so that the framework sends the text unchanged. */
export const sendJsonText = (reply: FastifyReply, status: number, json: string): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(json)
