import { describe, expect, it } from 'vitest'
import { type Document, listOperations, type Response, resolveIn } from '../src/document/document.ts'
import { admin, DOCUMENTS, gateway, worker } from './support/documents.ts'

/** The codes of the specification and of D-09, and those of the operator's API and the worker API. */
const SPECIFIED = [
  'UNKNOWN_FIELD',
  'INVALID_REQUEST',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'GENERATION_CONFLICT',
  'BUSY',
  'IDEMPOTENCY_CONFLICT',
  'WEBHOOK_CONFLICT',
  'RETRY_REFUSED',
  'CURSOR_EXPIRED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUEUE_FULL',
  'PENDING_LIMIT',
  'STREAM_LIMIT',
  'RATE_LIMITED',
  'INTERNAL',
  'CAPABILITY_UNAVAILABLE',
]
const ADDED = ['ALREADY_EXISTS', 'ALREADY_DECIDED', 'RUN_LOST', 'STEPS_OUT_OF_ORDER', 'SESSION_LIMIT']

const catalogueOf = (document: Document) => document.components['x-errors'] ?? {}

describe.each(DOCUMENTS)('the error catalogue of %s', (_name, document) => {
  const catalogue = catalogueOf(document)
  const responses: Response[] = [
    ...Object.values(document.components.responses ?? {}),
    ...listOperations(document).flatMap(({ operation }) =>
      Object.values(operation.responses).map((response) => resolveIn(document.components.responses, response)),
    ),
  ]
  const used = new Set(responses.flatMap((response) => response['x-error-codes'] ?? []))

  it('has exactly the codes that responses name', () => {
    expect([...used].sort()).toEqual(Object.keys(catalogue).sort())
  })

  it.each(Object.entries(catalogue))('%s has an example that agrees with it', (code, entry) => {
    const { title, status } = entry
    expect(document.components.examples?.[code]?.value).toMatchObject({
      type: `/docs/errors#${code}`,
      title,
      status,
      code,
    })
  })

  it.each(Object.entries(catalogue))('%s says in whole sentences what happened and what to do', (_code, entry) => {
    expect(entry.description).toMatch(/^[A-Z].*\. [A-Z].*\.$/s)
    expect(entry.status).toBeGreaterThanOrEqual(400)
  })
})

describe('the catalogues', () => {
  it('contain every specified code, and only the known additions', () => {
    const all = new Set(DOCUMENTS.flatMap(([, document]) => Object.keys(catalogueOf(document))))
    expect([...all].sort()).toEqual([...SPECIFIED, ...ADDED].sort())
  })

  it('have the same meaning for the same code', () => {
    for (const document of [admin, worker])
      for (const [code, entry] of Object.entries(catalogueOf(document)))
        expect(catalogueOf(gateway)[code] ?? entry).toEqual(entry)
  })
})
