import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bundleSchema } from '../src/document/bundle.ts'
import { closeDocument } from '../src/document/close.ts'
import { type Document, type Json, listOperations, resolveIn } from '../src/document/document.ts'
import { createValidator, schemaAt } from '../src/document/validator.ts'
import { admin, gateway, worker } from './support/documents.ts'

const DOCUMENTS: [string, Document][] = [
  ['gateway', gateway],
  ['admin', admin],
  ['worker', worker],
]

/** The faults that Ajv finds in a value; empty if it is valid. */
function listFaults(document: Document, value: unknown, ...place: string[]): unknown[] {
  const validate = createValidator(document).compile({ $ref: schemaAt(...place) })
  validate(value)
  return validate.errors ?? []
}

describe.each(DOCUMENTS)('the examples of %s', (_name, document) => {
  const ajv = createValidator(document)
  const closed = createValidator(closeDocument(document))
  const fits = (validator: typeof ajv, value: Json, ...place: string[]): unknown => {
    const validate = validator.compile({ $ref: schemaAt(...place) })
    return validate(value) || validate.errors
  }

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
      const examples = parameter.schema.$ref
        ? resolveIn(document.components.schemas, { $ref: parameter.schema.$ref }).examples
        : [parameter.example ?? null]
      for (const example of examples ?? [])
        expect(fits(ajv, example, 'components', 'parameters', name, 'schema')).toBe(true)
    },
  )

  it.each(Object.entries(document.components.headers ?? {}))('header %s has a valid example', (name, header) => {
    const examples = header.schema.$ref
      ? resolveIn(document.components.schemas, { $ref: header.schema.$ref }).examples
      : [header.example ?? null]
    for (const example of examples ?? []) expect(fits(ajv, example, 'components', 'headers', name, 'schema')).toBe(true)
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

  it.each(Object.entries(document.components.schemas))('schema %s has examples, all valid', (name, schema) => {
    expect(schema.examples?.length ?? 0).toBeGreaterThan(0)
    for (const example of schema.examples ?? []) {
      expect(listFaults(document, example, 'components', 'schemas', name)).toEqual([])
    }
  })

  it('the generated JSON Schema is self-contained and accepts the same example', () => {
    const text = readFileSync(new URL('../generated/bootstrap.schema.json', import.meta.url), 'utf8')
    const schema = JSON.parse(text)
    const validate = createValidator({}).compile(schema)
    expect(validate(schema.examples[0])).toBe(true)
    expect(validate({ ...schema.examples[0], extra: 1 })).toBe(false)
  })
})
