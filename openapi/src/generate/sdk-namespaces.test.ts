import { describe, expect, it } from 'vitest'
import { gateway } from '../../test/support/documents.ts'
import type { Document, Operation } from '../document/document.ts'
import { generateSdkNamespaces } from './sdk-namespaces.ts'

const OPTIONS = {
  source: 'openapi/gateway.yaml',
  types: './gateway.ts',
  operations: { module: './operations.ts', name: 'OPERATIONS' },
}

/** The client of a contract with one change. */
const generate = (change: (document: Document) => void = () => {}): string => {
  const document = structuredClone(gateway)
  change(document)
  return generateSdkNamespaces(document, OPTIONS)
}

const operationOf = (document: Document, path: string, method: 'get' | 'post'): Operation => {
  const operation = document.paths[path]?.[method]
  if (!operation) throw new Error(`${path} has no ${method}`)
  return operation
}

const RUN = '/api/v1/runs/{run_id}'

describe('the methods of the client', () => {
  const source = generate()

  it('are in one class per tag, and a tag without methods has no class', () => {
    const classes = [...source.matchAll(/^export class (\w+)/gm)].map(([, name]) => name)
    expect(classes).toEqual(['Conversations', 'Messages', 'Runs', 'Endpoints', 'Operations', 'Resources'])
  })

  it('take path, body, query and options in this order, each with its name', () => {
    expect(source).toContain('get(runId: string, options?: CallOptions): Call<Run>')
    expect(source).toContain(
      "send(conversationId: string, body: SendMessage, options?: MutationOptions): Mutation<Admission, ReplayHandle<'sendMessage'>>",
    )
    expect(source).toContain(
      "cancel(runId: string, options?: MutationOptions): Mutation<Control, ReplayHandle<'cancelRun'>>",
    )
    expect(source).toContain(
      'putContent(resourceId: string, content: Bytes, options?: CallOptions): Mutation<Resource, null>',
    )
  })

  it('list their error codes in the docstring', () => {
    expect(source).toMatch(/@throws \{ApiError\} .*GENERATION_CONFLICT.*\n\s+\*\/\n\s+send\(/)
  })

  it('include `wait` for each operation that others poll, with events if there are any', () => {
    expect(source).toContain('wait(runId: string, options?: WaitOptions): Promise<Run>')
    expect(source).toContain('(after) => this.events(runId, { ...options, after })')
    expect(source).toContain('get(record.ref.conversation_id, options)')
    expect(source).toContain('wait(operationId: string, options?: WaitOptions): Promise<Operation>')
  })
})

describe('a contract from which no client can be generated', () => {
  it.each([
    [
      'an operation without a method name',
      (document: Document) => delete operationOf(document, RUN, 'get')['x-sdk-method'],
      'getRun needs a tag and x-sdk-method, its method in the client',
    ],
    [
      'an operation without a tag',
      (document: Document) => operationOf(document, RUN, 'get').tags.pop(),
      'getRun needs a tag and x-sdk-method',
    ],
    [
      'a tag that the document does not have',
      (document: Document) => operationOf(document, RUN, 'get').tags.splice(0, 1, 'errands'),
      "getRun: the tag errands is not among the document's tags",
    ],
    [
      'two operations with the same name',
      (document: Document) => {
        operationOf(document, `${RUN}/cancel`, 'post')['x-sdk-method'] = 'get'
      },
      'cancelRun and getRun are both runs.get; x-sdk-method must differ',
    ],
    [
      'a stream whose polled operation has another tag',
      (document: Document) => operationOf(document, `${RUN}/events`, 'get').tags.splice(0, 1, 'messages'),
      'streamRunEvents: x-stream.ended.poll must be an operation of the same tag',
    ],
    [
      'a stream whose polled operation does not exist',
      (document: Document) => {
        const stream = operationOf(document, `${RUN}/events`, 'get')['x-stream']
        if (stream?.ended) stream.ended.poll = 'readRun'
      },
      'streamRunEvents: x-stream.ended.poll must be an operation of the same tag',
    ],
    [
      'a body without a name',
      (document: Document) => {
        const body = operationOf(document, '/api/v1/conversations', 'post').requestBody
        if (body) body.content['application/json'] = { schema: { type: 'object' } }
      },
      'createConversation: the client needs a name for each JSON body',
    ],
    [
      'no successful answer',
      (document: Document) => delete operationOf(document, RUN, 'get').responses['200'],
      'getRun has no answer',
    ],
    [
      'pages of unnamed items',
      (document: Document) => {
        const page = operationOf(document, '/api/v1/conversations', 'get')['x-pagination']
        if (page) page.items = 'things'
      },
      'listConversations: x-pagination.items has no named item type',
    ],
  ])('%s is refused with the name of the operation', (_name, change, message) => {
    expect(() => generate(change)).toThrow(message)
  })
})
