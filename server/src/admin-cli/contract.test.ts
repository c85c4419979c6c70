import { describe, expect, it } from 'vitest'
import { ADMIN_DOCUMENT, listCommands } from './contract.ts'
import { SHOWN_ONCE } from './format-answer.ts'

const commands = listCommands(ADMIN_DOCUMENT)
const nameOf = ({ group, name }: { readonly group: string; readonly name: string }): string => `${group} ${name}`
const find = (name: string) => commands.find((command) => nameOf(command) === name)

describe('The commands', () => {
  it('are the operations of the contract, each under one name', () => {
    const operationIds = Object.values(ADMIN_DOCUMENT.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(commands.map(({ operationId }) => operationId).toSorted()).toEqual(operationIds.toSorted())
    const names = commands.flatMap((command) =>
      [command, ...(command.short === null ? [] : [command.short])].map(nameOf),
    )
    expect(new Set(names).size).toBe(names.length)
  })

  it('are named by tag and method, and also by their collection if it has no tag of its own', () => {
    expect(find('callbacks list-deliveries')?.short).toEqual({ group: 'deliveries', name: 'list' })
    expect(find('callbacks retry-delivery')?.short).toEqual({ group: 'deliveries', name: 'retry' })
    expect(find('apps revoke-key')?.short).toEqual({ group: 'keys', name: 'revoke' })
    expect(find('conversations messages')?.short).toBeNull()
    expect(find('webhooks rotate-secret')?.short).toBeNull()
    expect(find('retention prune-events')?.short).toBeNull()
    expect(find('erasures erase-subject')?.short).toBeNull()
  })

  it('take path parameters as arguments, and query parameters and members of the body as flags', () => {
    expect(find('apps create-key')).toMatchObject({
      arguments: [{ name: 'app_id' }],
      query: [],
      body: {
        members: [{ flag: 'name' }, { flag: 'scopes', required: true }, { flag: 'expires-at' }],
        needsMember: true,
      },
    })
    expect(find('deliveries list')).toBeUndefined()
    expect(find('callbacks list-deliveries')?.query.map(({ flag }) => flag)).toEqual([
      'app-id',
      'callback-id',
      'state',
      'limit',
      'before',
    ])
  })

  it('list all forms of a body', () => {
    expect(find('retention prune-events')?.body?.forms).toEqual([
      ['app_id', 'conversation_id', 'up_to_seq'],
      ['older_than_seconds'],
    ])
  })

  it('know the members that the contract shows only once', () => {
    const { schemas } = ADMIN_DOCUMENT.components
    const added = (saved: string, read: string): string[] =>
      Object.keys(schemas[saved]?.properties ?? {}).filter((name) => !(name in (schemas[read]?.properties ?? {})))
    expect(added('CreatedKey', 'Key')).toEqual(['key'])
    expect([...added('SavedWebhook', 'Webhook'), ...added('SavedCallback', 'Callback')]).toEqual(['secret', 'secret'])
    expect(added('CreatedOperator', 'Operator')).toEqual(['token'])
    expect(SHOWN_ONCE).toEqual(['key', 'secret', 'token'])
  })
})
