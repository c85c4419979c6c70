import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bundleSchema } from '../src/document/bundle.ts'
import { closeDocument } from '../src/document/close.ts'
import {
  type Document,
  type Header,
  type Json,
  listOperations,
  type Parameter,
  resolveIn,
} from '../src/document/document.ts'
import { createValidator, schemaAt } from '../src/document/validator.ts'
import { DOCUMENTS } from './support/documents.ts'

/** True if the value fits the schema at the place in the validator's document; otherwise Ajv's errors. */
function fits(validator: ReturnType<typeof createValidator>, value: Json, ...place: string[]): unknown {
  const validate = validator.compile({ $ref: schemaAt(...place) })
  return validate(value) || validate.errors
}

/** The examples of a parameter's or header's schema if that has a name, otherwise its own. */
const examplesOf = (document: Document, { schema, example = null }: Parameter | Header): Json[] =>
  schema.$ref === undefined ? [example] : (resolveIn(document.components.schemas, { $ref: schema.$ref }).examples ?? [])

describe.each(DOCUMENTS)('the examples of %s', (_name, document) => {
  const ajv = createValidator(document)
  const closed = createValidator(closeDocument(document))

  it.each(Object.entries(document.components.schemas))('schema %s has examples, all valid', (name, schema) => {
    expect(schema.examples?.length ?? 0).toBeGreaterThan(0)
    for (const example of schema.examples ?? []) {
      expect(fits(ajv, example, 'components', 'schemas', name)).toBe(true)
      if (!schema['x-open']) expect(fits(closed, example, 'components', 'schemas', name)).toBe(true)
    }
  })

  it.each(Object.entries(document.components.parameters ?? {}))(
    'parameter %s has a valid example',
    (name, parameter) => {
      for (const example of examplesOf(document, parameter))
        expect(fits(ajv, example, 'components', 'parameters', name, 'schema')).toBe(true)
    },
  )

  it.each(Object.entries(document.components.headers ?? {}))('header %s has a valid example', (name, header) => {
    for (const example of examplesOf(document, header))
      expect(fits(ajv, example, 'components', 'headers', name, 'schema')).toBe(true)
  })

  it.each(Object.entries(document.components.examples ?? {}))('problem %s is a valid problem', (_code, { value }) => {
    expect(fits(closed, value, 'components', 'schemas', 'Problem')).toBe(true)
  })

  it('every body and every answer refers to a named schema, so that each has an example', () => {
    const unnamed = listOperations(document).flatMap(({ operation }) => {
      const answers = Object.values(operation.responses).map((each) => resolveIn(document.components.responses, each))
      const contents = [operation.requestBody?.content, ...answers.map((answer) => answer.content)]
      return contents.flatMap((content) =>
        Object.entries(content ?? {}).flatMap(([type, { schema }]) =>
          schema?.$ref || type === '*/*' ? [] : [`${operation.operationId} ${type}`],
        ),
      )
    })
    expect(unnamed).toEqual([])
  })
})

describe('the examples of the bootstrap file', async () => {
  const document = await bundleSchema(new URL('../bootstrap.schema.yaml', import.meta.url).pathname, 'Bootstrap')
  const ajv = createValidator(document)

  it.each(Object.entries(document.components.schemas))('schema %s has examples, all valid', (name, schema) => {
    expect(schema.examples?.length ?? 0).toBeGreaterThan(0)
    for (const example of schema.examples ?? []) expect(fits(ajv, example, 'components', 'schemas', name)).toBe(true)
  })

  it('the generated JSON Schema is self-contained and accepts the same example', () => {
    const text = readFileSync(new URL('../generated/bootstrap.schema.json', import.meta.url), 'utf8')
    const schema = JSON.parse(text)
    const validate = createValidator({}).compile(schema)
    expect(validate(schema.examples[0])).toBe(true)
    expect(validate({ ...schema.examples[0], extra: 1 })).toBe(false)
  })
})
