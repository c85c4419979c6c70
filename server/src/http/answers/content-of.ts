import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Download } from '../operation.ts'

/** The bytes of a download. The answer to HEAD has none, so that none is read. */
export const contentOf = ({ method }: FastifyRequest, { content }: Download): Readable =>
  Readable.from(method === 'HEAD' ? [] : content)
