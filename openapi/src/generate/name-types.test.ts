import { describe, expect, it } from 'vitest'
import type { Document } from '../document/document.ts'
import { createTypes, printTypes } from './types.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {
    '/runs': {
      get: {
        operationId: 'listRuns',
        tags: ['runs'],
        security: [],
        parameters: [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'The runs',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Run: {
        type: 'object',
        description: 'One run.',
        required: ['state'],
        properties: { state: { $ref: '#/components/schemas/State' }, next: { $ref: '#/components/schemas/Run' } },
      },
      State: { type: 'string', enum: ['queued', 'running'] },
    },
  },
} satisfies Document & Record<string, unknown>

describe('the generated types', () => {
  it('declare each schema under its own name, with its description', async () => {
    const types = printTypes(await createTypes(DOCUMENT, './test.ts'), 'test.yaml')
    expect(types).toContain(
      '/** @description One run. */\nexport interface Run {\n    state: State;\n    next?: Run;\n}',
    )
    expect(types).toContain('export type State = "queued" | "running";')
  })

  it('declare the query of an operation under a name of its own', async () => {
    const types = printTypes(await createTypes(DOCUMENT, './test.ts'), 'test.yaml')
    expect(types).toContain('export interface ListRunsQuery {\n    limit?: number;\n}')
    expect(types).toContain('query?: ListRunsQuery;')
  })

  it('refer to schemas by their names only', async () => {
    const types = printTypes(await createTypes(DOCUMENT, './test.ts'), 'test.yaml')
    expect(types).toContain('"application/json": Run;')
    expect(types).not.toMatch(/components\["schemas"\]/)
  })
})
