import { describe, expect, it } from 'vitest'
import contract from '../generated/gateway.json' with { type: 'json' }
import type { Node } from '../src/changes/change.ts'
import { compareContracts } from '../src/changes/compare-contracts.ts'

/** A contract that tests can change: every value can be set, added and removed. */
type Draft = { [member: string]: Draft }

const at = (document: Draft, path: string): Draft =>
  path.split('|').reduce((node, part) => {
    const next = node[part]
    if (next === undefined) throw new Error(`there is no ${part} of ${path}`)
    return next
  }, document)

/** Sets or removes the value at a path. */
const set = (path: string, value: unknown) => (document: Draft) => {
  const cut = path.lastIndexOf('|')
  const [parent, name] = [at(document, path.slice(0, cut)), path.slice(cut + 1)]
  if (value === undefined) delete parent[name]
  else Object.assign(parent, { [name]: value })
}

/** Changes a list at a path. */
const list = (path: string, change: (items: unknown[]) => unknown[]) => (document: Draft) =>
  set(path, change(JSON.parse(JSON.stringify(at(document, path)))))(document)

const add = (path: string, item: unknown) => list(path, (items) => [...items, item])
const drop = (path: string, item: unknown) =>
  list(path, (items) => items.filter((each) => JSON.stringify(each) !== JSON.stringify(item)))

const SCHEMAS = 'components|schemas'
const CREATE = `${SCHEMAS}|CreateConversation`
const CONVERSATION = `${SCHEMAS}|Conversation`
const CONVERSATIONS = 'paths|/api/v1/conversations'
const REF = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const BREAKING: readonly (readonly [string, (document: Draft) => void])[] = [
  ['an operation that is gone', set(`${CONVERSATIONS}|get`, undefined)],
  ['a path that is gone', set('paths|/api/v1/resources', undefined)],
  ['a callback that is gone', set('webhooks|runFailed', undefined)],
  ['a request member that is gone', set(`${CREATE}|properties|conversation_key`, undefined)],
  ['a request member that is required now', add(`${CREATE}|required`, 'conversation_key')],
  [
    'a new required request member',
    (document) => {
      set(`${CREATE}|properties|region`, { type: 'string' })(document)
      add(`${CREATE}|required`, 'region')(document)
    },
  ],
  ['a request member of another type', set(`${CREATE}|properties|endpoint_id|type`, 'integer')],
  ['a request string with a smaller maximum length', set(`${CREATE}|properties|endpoint_id|maxLength`, 10)],
  ['a request string with a larger minimum length', set(`${CREATE}|properties|endpoint_id|minLength`, 5)],
  ['a request string with a pattern', set(`${CREATE}|properties|endpoint_id|pattern`, '^ep_')],
  ['a request number with a lower maximum', set(`${SCHEMAS}|SendMessage|properties|expected_generation|maximum`, 100)],
  ['a nested request string with a maximum length', set(`${SCHEMAS}|MessageInput|properties|text|maxLength`, 1)],
  ['a smaller body', set(`${CONVERSATIONS}|post|requestBody|x-max-body-bytes`, 1000)],
  [
    'a body of another media type',
    (document) => {
      const content = at(document, `${CONVERSATIONS}|post|requestBody|content`)
      set(`${CONVERSATIONS}|post|requestBody|content`, { 'application/cbor': content['application/json'] })(document)
    },
  ],
  [
    'a new required parameter',
    add(`${CONVERSATIONS}|get|parameters`, { in: 'query', name: 'region', required: true, schema: { type: 'string' } }),
  ],
  ['a parameter that is gone', drop(`${CONVERSATIONS}|get|parameters`, { $ref: '#/components/parameters/Limit' })],
  ['a parameter that is required now', set('components|parameters|Limit|required', true)],
  ['a smaller maximum page size', set('components|parameters|Limit|schema|maximum', 100)],
  ['another default', set('components|parameters|Limit|schema|default', 10)],
  [
    'an additional required scope',
    list(`${CONVERSATIONS}|get|security`, () => [{ apiKey: ['conversations:read', 'runs:read'] }]),
  ],
  ['an answer’s member that is gone', set(`${CONVERSATION}|properties|owner_id`, undefined)],
  ['an answer’s member that may be missing', drop(`${CONVERSATION}|required`, 'owner_id')],
  ['an answer’s member that may be null', set(`${CONVERSATION}|properties|business_key|type`, ['string', 'null'])],
  ['an answer’s list that may be longer', set(`${SCHEMAS}|ConversationList|properties|conversations|maxItems`, 500)],
  [
    'a closed enumeration of answers with a new value',
    set(`${SCHEMAS}|AssistantDeltaEvent|properties|type`, { enum: ['assistant.delta', 'delta'] }),
  ],
  [
    'another success status',
    (document) => {
      const responses = at(document, `${CONVERSATIONS}|post|responses`)
      set(`${CONVERSATIONS}|post|responses|200`, responses['201'])(document)
      set(`${CONVERSATIONS}|post|responses|201`, undefined)(document)
    },
  ],
  [
    'an answer’s header that is gone',
    set(`${CONVERSATIONS}|post|responses|201|headers|Idempotency-Replayed`, undefined),
  ],
  ['an operation that is no longer replayed under its key', set(`${CONVERSATIONS}|post|x-idempotent`, undefined)],
  ['keys that are remembered for a shorter time', set(`${CONVERSATIONS}|post|x-idempotent|retention_seconds`, 60)],
  ['another sign of the last page', set(`${CONVERSATIONS}|get|x-pagination|end`, 'null-cursor')],
  ['an error code that is gone', set('components|x-errors|BUSY', undefined)],
  ['an error code of another status', set('components|x-errors|BUSY|status', 423)],
  ['an error code that may no longer be retried', set('components|x-errors|BUSY|retryable', 'never')],
  [
    'a stream’s event with a member that is gone',
    set(`${SCHEMAS}|AssistantDeltaEvent|properties|payload|properties|index`, undefined),
  ],
]

const COMPATIBLE: readonly (readonly [string, (document: Draft) => void])[] = [
  [
    'a new operation',
    (document) => set('paths|/api/v1/agents', { get: at(document, `${CONVERSATIONS}|get`) })(document),
  ],
  ['an optional request member that is new', set(`${CREATE}|properties|region`, { type: 'string' })],
  ['a request member that is no longer required', drop(`${CREATE}|required`, 'endpoint_id')],
  [
    'an optional parameter that is new',
    add(`${CONVERSATIONS}|get|parameters`, { in: 'query', name: 'region', schema: { type: 'string' } }),
  ],
  ['a larger maximum page size', set('components|parameters|Limit|schema|maximum', 500)],
  ['a larger body', set(`${CONVERSATIONS}|post|requestBody|x-max-body-bytes`, 2_000_000)],
  ['an answer’s member that is new', set(`${CONVERSATION}|properties|region`, { type: 'string' })],
  ['an answer’s member that is always present now', add(`${CONVERSATION}|required`, 'business_key')],
  [
    'a new known value in an open enumeration',
    list(`${SCHEMAS}|MessageRole|anyOf`, () => [{ enum: ['user', 'assistant', 'tool'] }, { type: 'string' }]),
  ],
  [
    'an additional event type',
    (document) => {
      set(`${SCHEMAS}|ToolEvent`, at(document, `${SCHEMAS}|AssistantDeltaEvent`))(document)
      add(`${SCHEMAS}|KnownEvent|oneOf`, REF('ToolEvent'))(document)
    },
  ],
  [
    'an additional error code',
    (document) => set('components|x-errors|TEAPOT', at(document, 'components|x-errors|BUSY'))(document),
  ],
  ['a further error status', set(`${CONVERSATIONS}|get|responses|418`, { $ref: '#/components/responses/NotFound' })],
  ['a deprecation', set(`${CONVERSATIONS}|get|deprecated`, true)],
  ['a scope that is no longer required', list(`${CONVERSATIONS}|get|security`, () => [{ apiKey: [] }])],
]

const changesAfter = (change: (document: Draft) => void) => {
  const after: Draft = JSON.parse(JSON.stringify(contract))
  change(after)
  return compareContracts(contract as Node, after)
}
const kindsAfter = (change: (document: Draft) => void) => new Set(changesAfter(change).map(({ kind }) => kind))

describe('changes of the contract', () => {
  it('are none between a contract and itself, or if only descriptions differ', () => {
    expect(changesAfter(() => {})).toEqual([])
    expect(changesAfter(set(`${CONVERSATION}|description`, 'Other words.'))).toEqual([])
    expect(changesAfter(set(`${CONVERSATIONS}|get|summary`, 'Other words.'))).toEqual([])
  })

  it.each(BREAKING)('break with %s', (_what, change) => {
    expect(kindsAfter(change)).toContain('breaking')
  })

  it.each(COMPATIBLE)('are compatible with %s', (_what, change) => {
    expect(kindsAfter(change)).toEqual(new Set(['compatible']))
  })

  it('include their location', () => {
    expect(changesAfter(drop(`${CONVERSATION}|required`, 'owner_id'))).toContainEqual({
      kind: 'breaking',
      at: 'GET /api/v1/conversations 200.conversations[]',
      what: 'owner_id is no longer required',
    })
  })
})
