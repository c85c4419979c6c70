import type { Document, Operation, Schema } from '../document/document.ts'
import { queryTypeName } from './name-types.ts'
import { listMethods, type SdkMethod } from './sdk-methods.ts'
import { banner } from './source-text.ts'

type Pagination = NonNullable<Operation['x-pagination']>

/** Where the parts of a generated client are imported from. */
export interface SdkNamespaceOptions {
  readonly source: string
  /** Module of the document's types. */
  readonly types: string
  /** Module and name of the table of operations. */
  readonly operations: { readonly module: string; readonly name: string }
}

/** The client's methods: one class per tag, one method per operation of the table. */
export function generateSdkNamespaces(document: Document, options: SdkNamespaceOptions): string {
  const methods = listMethods(document)
  const tags = (document.tags ?? []).filter(({ name }) => methods.some(({ tag }) => tag === name))
  refuseLostMethods(methods, tags)
  const classes = tags.map(({ name, description }) =>
    namespaceClass(name, description, methods, options.operations.name),
  )
  const replayed = methods.filter(isReplayed)
  return `${banner(options.source)}
${importLines(methods, options)}
${classes.join('\n')}
/** One object per tag. */
export interface Namespaces {
${tags.map(({ name, description }) => `  /** ${description} */\n  readonly ${name}: ${className(name)}`).join('\n')}
}

export const createNamespaces = (calls: Calls): Namespaces => ({
${tags.map(({ name }) => `  ${name}: new ${className(name)}(calls),`).join('\n')}
})
${
  replayed.length === 0
    ? ''
    : `
/** The answer of each operation that can be repeated under its key: the result of a client's replay() and recover(). */
export interface ReplayedAnswers {
${replayed.map((method) => `  ${method.operationId}: ${answerType(method)}`).join('\n')}
}
`
}`
}

/** Throws for faults of the contract that would silently omit a method. */
function refuseLostMethods(methods: readonly SdkMethod[], tags: readonly { readonly name: string }[]): void {
  for (const [index, { operationId, tag, name }] of methods.entries()) {
    if (!tags.some((each) => each.name === tag))
      throw new Error(`${operationId}: the tag ${tag} is not among the document's tags`)
    const other = methods.slice(0, index).find((each) => each.tag === tag && each.name === name)
    if (other)
      throw new Error(`${operationId} and ${other.operationId} are both ${tag}.${name}; x-sdk-method must differ`)
  }
}

function namespaceClass(tag: string, description: string, methods: readonly SdkMethod[], table: string): string {
  const own = methods.filter((method) => method.tag === tag)
  const members = own.flatMap((method) => [methodSource(method, methods, table), ...waitSource(method, methods)])
  return `/** ${description} */
export class ${className(tag)} {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

${members.join('\n')}}
`
}

function methodSource(method: SdkMethod, methods: readonly SdkMethod[], table: string): string {
  const info = `${table}.${method.operationId}`
  const pagination = method.operation['x-pagination']
  if (pagination) return pagesSource(method, pagination, info)
  if (method.answer.kind === 'stream') return streamSource(method, methods, info)
  const answer = answerType(method)
  const result = method.httpMethod === 'GET' ? `Call<${answer}>` : `Mutation<${answer}, ${handleType(method)}>`
  const options = isReplayed(method) ? 'MutationOptions' : 'CallOptions'
  if (method.httpMethod !== 'GET' && !isReplayed(method)) refuseUnknownRepeat(method)
  return `${docSource(method)}  ${method.name}(${[...pathParameters(method), ...bodyParameter(method), ...queryParameter(method), `options?: ${options}`].join(', ')}): ${result} {
    return this.#calls.call(${info}, options, ${inputSource(method)})
  }
`
}

function pagesSource(method: SdkMethod, pagination: Pagination, info: string): string {
  return `${docSource(method)}  ${method.name}(${[
    ...pathParameters(method),
    ...queryParameter(method),
    'options?: PageOptions',
  ].join(', ')}): Pages<${answerType(method)}, ${itemType(method)}> {
    return this.#calls.pages(${info}, options, ${inputSource(method)}, {
      items: (page) => page.${pagination.items},
      continueFrom: '${pagination.cursor.from}',
      next: (item) => ({ ${pagination.cursor.query}: item.${pagination.cursor.field} }),
    })
  }
`
}

function streamSource(method: SdkMethod, methods: readonly SdkMethod[], info: string): string {
  const ended = method.operation['x-stream']?.ended
  const poll = ended && methods.find(({ operationId }) => operationId === ended.poll)
  if (ended && poll?.tag !== method.tag)
    throw new Error(`${method.operationId}: x-stream.ended.poll must be an operation of the same tag`)
  const end = poll ? endSource(poll, ended.done, methods) : 'null'
  return `${docSource(method)}  ${method.name}(${[...pathParameters(method), 'options?: StreamOptions'].join(', ')}): EventStream {
    return this.#calls.stream(${info}, options, ${inputSource(method)}, {
      of: ${idsOf(method)},
      end: ${end},
    })
  }
`
}

/** The calls that find the end of a streamed object: in its record, and in the log of its conversation. */
function endSource(poll: SdkMethod, done: readonly string[], methods: readonly SdkMethod[]): string {
  const conversation = conversationOf(poll, methods)
  if (!conversation)
    throw new Error(`${poll.operationId}: x-stream.ended.poll must read a record that names its conversation`)
  return `{
        poll: (options) => this.${poll.name}(${idsOf(poll)}, options),
        isDone: ({ state }) => ${isDoneSource(done)},
        readSnapshot: (record, options) => ${conversation.snapshot}, options),
        readLog: (record, options) => ${conversation.events}, options),
      }`
}

function itemType({ operationId, operation, answer }: SdkMethod): string {
  const schema = answer.kind === 'json' ? answer.schema.properties?.[operation['x-pagination']?.items ?? ''] : undefined
  const name = schema?.items?.$ref?.split('/').at(-1)
  if (!name) throw new Error(`${operationId}: x-pagination.items has no named item type`)
  return name
}

/** The method `wait` of an operation that others declare as the one to poll. */
function waitSource(method: SdkMethod, methods: readonly SdkMethod[]): string[] {
  const starter = methods.find(({ operation }) => operation['x-long-running']?.poll === method.operationId)
  const done = starter?.operation['x-long-running']?.done
  if (!done || method.answer.kind !== 'json') return []
  const ids = idsOf(method)
  const type = answerType(method)
  return [
    `
  /**
   * Reads until the state is ${done.map((state) => `\`${state}\``).join(', ')}, and resolves with that record: an end
   * without success is a result, not an exception. Follows events if possible, and otherwise polls.
   * @throws {TimeoutError} not in that state after \`options.timeoutMs\`; waiting again later is safe.
   */
  wait(${pathParameters(method).join(', ')}, options?: WaitOptions): Promise<${type}> {
    return this.#calls.wait(options, {
      operationId: '${method.operationId}',
      poll: (call) => this.${method.name}(${ids}, call),
      isDone: ({ state }) => ${isDoneSource(done)},
      wake: ${wakeSource(method, methods)},
    })
  }
`,
  ]
}

/** The stream that wakes a waiting call: the record's own stream, otherwise that of its conversation, from now on. */
function wakeSource(method: SdkMethod, methods: readonly SdkMethod[]): string {
  const conversation = conversationOf(method, methods)
  if (!conversation) return 'null'
  const own = methods.find(({ operation }) => operation['x-stream']?.ended?.poll === method.operationId)
  const open = own ? `this.${own.name}(${idsOf(method)}` : conversation.events
  const stream = own ? `'${own.operationId}', ${idsOf(method)}` : conversation.stream
  return `(record, options) => eventsFromNow(
        this.#calls.positionOf(${stream}),
        () => ${conversation.snapshot}, options),
        (after) => ${open}, { ...options, after }),
      )`
}

/** The beginnings of the calls that read the conversation of `record`; null if the record does not name one. */
function conversationOf(method: SdkMethod, methods: readonly SdkMethod[]) {
  const stream = methods.find(({ operation }) => operation['x-stream']?.over === 'conversation')
  const path = method.answer.kind === 'json' ? pathToConversation(method.answer.schema) : null
  if (!stream || !path) return null
  const snapshot = methods.find((each) => `${each.path}/events` === stream.path)
  if (!snapshot) throw new Error(`${stream.operationId}: the stream has no snapshot to begin from`)
  const [namespace, id] = [`new ${className(snapshot.tag)}(this.#calls)`, `record.${path}`]
  return {
    snapshot: `${namespace}.${snapshot.name}(${id}`,
    events: `${namespace}.${stream.name}(${id}`,
    stream: `'${stream.operationId}', ${id}`,
  }
}

/** The path of the conversation's ID in a record; null if the record has none. */
function pathToConversation({ properties }: Schema): string | null {
  if (properties?.conversation_id) return 'conversation_id'
  return properties?.ref ? 'ref.conversation_id' : null
}

const idsOf = ({ pathArguments }: SdkMethod): string => pathArguments.map(({ name }) => name).join(', ')

const isDoneSource = (states: readonly string[]): string =>
  `[${states.map((each) => `'${each}'`).join(', ')}].includes(state)`

/** The arguments of a call. */
function inputSource(method: SdkMethod): string {
  const path = method.pathArguments.map(({ wire, name }) => (wire === name ? wire : `${wire}: ${name}`)).join(', ')
  const members = [
    ...(path ? [`path: { ${path} }`] : []),
    ...(method.query === 'none' ? [] : ['query']),
    ...BODY_MEMBERS[method.body.kind],
  ]
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}

const BODY_MEMBERS: Record<SdkMethod['body']['kind'], readonly string[]> = {
  none: [],
  empty: ['body: {}'],
  json: ['body'],
  bytes: ['content'],
}

const docSource = ({ doc }: SdkMethod): string => `  /**\n${doc.map((line) => `   * ${line}\n`).join('')}   */\n`

const pathParameters = ({ pathArguments }: SdkMethod): string[] => pathArguments.map(({ name }) => `${name}: string`)

function bodyParameter({ body }: SdkMethod): string[] {
  if (body.kind === 'bytes') return ['content: Bytes']
  if (body.kind !== 'json') return []
  return [body.required ? `body: ${body.type}` : `body: ${body.type} = {}`]
}

function queryParameter({ query, operationId }: SdkMethod): string[] {
  if (query === 'none') return []
  const type = queryTypeName(operationId)
  return [query === 'required' ? `query: ${type}` : `query: ${type} = {}`]
}

function answerType({ answer }: SdkMethod): string {
  if (answer.kind === 'json') return answer.type
  return answer.kind === 'bytes' ? 'Blob' : 'void'
}

const isReplayed = ({ operation }: SdkMethod): boolean => operation['x-idempotent'] !== undefined

const handleType = (method: SdkMethod): string =>
  isReplayed(method) ? `ReplayHandle<'${method.operationId}'>` : 'null'

/** The contract declares whether a write without a key may be repeated. */
function refuseUnknownRepeat({ operationId, operation }: SdkMethod): void {
  if (!operation['x-repeat'])
    throw new Error(`${operationId} needs x-repeat, which declares the effect of a repeated request, or x-idempotent`)
}

const className = (tag: string): string => tag.replace(/^./, (letter) => letter.toUpperCase())

const importLines = (methods: readonly SdkMethod[], { types, operations }: SdkNamespaceOptions): string => `\
import type { Bytes } from '../client/upload.ts'
import type { Call, Calls, Mutation, Pages } from '../client/calls.ts'
${methods.some(({ answer }) => answer.kind === 'stream') ? "import { eventsFromNow } from '../client/wait.ts'\n" : ''}import type { CallOptions, MutationOptions, PageOptions, WaitOptions } from '../client/options.ts'
import type { StreamOptions } from '../events/stream-source.ts'
import type { EventStream } from '../events/subscribe.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { ${operations.name} } from '${operations.module}'
import type { ${typeNames(methods).join(', ')} } from '${types}'
`

const typeNames = (methods: readonly SdkMethod[]): string[] => {
  const names = methods.flatMap((method) => [
    ...(method.body.kind === 'json' ? [method.body.type] : []),
    ...(method.answer.kind === 'json' ? [method.answer.type] : []),
    ...(method.operation['x-pagination'] ? [itemType(method)] : []),
    ...(method.query === 'none' ? [] : [queryTypeName(method.operationId)]),
  ])
  return [...new Set(names)].sort()
}
