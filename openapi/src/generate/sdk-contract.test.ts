import { expect, it } from 'vitest'
import { admin, gateway, worker } from '../../test/support/documents.ts'
import type { Document } from '../document/document.ts'
import { generateSdkContract } from './sdk-contract.ts'

const generate = (change: (document: Document) => void): string => {
  const document = structuredClone(gateway)
  change(document)
  return generateSdkContract(document, [admin, worker])
}

it('contains the constraints of requests, with references resolved', () => {
  const text = generate(({ components: { schemas } }) => {
    schemas.CancelRun = {
      type: 'object',
      description: 'Said to people.',
      properties: {
        description: { $ref: '#/components/schemas/Named', maxLength: 9 },
        size: { type: 'integer', format: 'int64' },
      },
    }
    schemas.Named = { type: 'string', minLength: 1, examples: ['a'] }
  })
  expect(text).toContain(
    '  CancelRun: {type: "object", properties: {description: {type: "string", minLength: 1, maxLength: 9}, size: {type: "integer"}}},\n',
  )
})

it('takes the first example of an answer that has its own examples', () => {
  const example = 'status: 202, example: {operation_id: "op_1"}}'
  expect(generate(() => {})).not.toContain(example)
  const text = generate(({ paths, components }) => {
    components.examples = { Stopped: { value: { operation_id: 'op_1' } } }
    const answer = paths['/api/v1/runs/{run_id}/cancel']?.post?.responses['202']
    if (answer === undefined || !('content' in answer)) throw new Error('cancelRun has no 202')
    const media = answer.content?.['application/json']
    if (media !== undefined) media.examples = { one: { $ref: '#/components/examples/Stopped' }, two: { value: {} } }
  })
  expect(text).toContain(example)
})

it('names inline schemas and parameters after their operation', () => {
  const text = generate(({ paths }) => {
    const operation = paths['/api/v1/runs/{run_id}/cancel']?.post
    if (operation?.requestBody === undefined) throw new Error('cancelRun has no body')
    operation.requestBody.content['application/json'] = { schema: { type: 'object' } }
    operation.parameters = [{ name: 'X-Why', in: 'header', required: false, schema: { type: 'string' } }]
  })
  expect(text).toContain('  cancelRun: {type: "object"},\n')
  expect(text).toContain('parameters: ["cancelRun_X_Why"], body: "cancelRun"')
})
