import { expect, it } from 'vitest'
import { type Document, listOperations, type Response, resolveIn, type Schema } from '../src/document/document.ts'
import { createValidator } from '../src/document/validator.ts'
import { gateway } from './support/documents.ts'

it('the enumerations in answers and events are marked as open, and accept values of later versions [GEN-28]', () => {
  const ajv = createValidator(gateway)
  const enumerations = enumerationsIn(gateway, answersOf(gateway))
  expect(enumerations.length).toBeGreaterThan(3)
  for (const schema of enumerations) {
    expect(schema).toMatchObject({ 'x-open-enum': true })
    expect([schema, ajv.compile(schema)('of-a-later-version')]).toEqual([schema, true])
  }
})

/** The schemas of everything that a gateway sends: bodies of answers, and events to streams and callbacks. */
function answersOf(document: Document): Schema[] {
  const answers = listOperations(document).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((response) =>
      Object.values(resolveIn<Response>(document.components.responses, response).content ?? {}),
    ),
  )
  const callbacks = Object.values(document.webhooks ?? {}).flatMap(({ post }) =>
    Object.values(post.requestBody?.content ?? {}),
  )
  return [...answers, ...callbacks].map(({ schema }) => schema).filter((schema) => schema !== undefined)
}

/** Every schema, however deep, that has a list of values: itself, or as one of the alternatives of an open one. */
function enumerationsIn(document: Document, schemas: readonly Schema[]): Schema[] {
  const found = new Set<Schema>()
  const visited = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (!isObject(value) || visited.has(value)) return
    visited.add(value)
    if (value.$ref !== undefined) visit(resolveIn<Schema>(document.components.schemas, { $ref: value.$ref }))
    if (value['x-open-enum'] || value.enum !== undefined) found.add(value)
    else for (const [keyword, part] of Object.entries(value)) if (!NOT_SCHEMAS.has(keyword)) visit(part)
  }
  visit(schemas)
  return [...found]
}

/**
 * Lists and maps of schemas are traversed like schemas, because their keys do not collide with the relevant keywords.
 */
const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Keywords that contain values, or a negated schema. */
const NOT_SCHEMAS: ReadonlySet<string> = new Set(['examples', 'default', 'const', 'not'])
