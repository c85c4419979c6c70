import { describe, expect, it, test } from 'vitest'
import type { Command } from './contract.ts'
import { ADMIN_DOCUMENT, listCommands } from './contract.ts'
import { exampleOf } from './help.ts'
import { readRequest } from './read-request.ts'

const commands = listCommands(ADMIN_DOCUMENT)
const command = (operationId: string): Command => {
  const found = commands.find((candidate) => candidate.operationId === operationId)
  if (found === undefined) throw new Error(`the contract has no ${operationId}`)
  return found
}
const FILES: Readonly<Record<string, string>> = {
  'body.json': '{"owner_id":"from_file","name":"Desk"}',
  'list.json': '[]',
}
const readFile = async (path: string): Promise<string> => {
  const text = FILES[path]
  if (text === undefined) throw new Error(`${path} does not exist`)
  return text
}
const read = (operationId: string, ...args: readonly string[]) => readRequest(command(operationId), args, readFile)
const bodyOf = async (operationId: string, ...args: readonly string[]) => {
  const { faults, request } = await read(operationId, ...args)
  expect(faults).toEqual([])
  return request.body
}
const faultsOf = async (operationId: string, ...args: readonly string[]) => (await read(operationId, ...args)).faults

describe('Arguments', () => {
  it('become the path, the query and the body of the request', async () => {
    expect((await read('updateApp', 'app/1', '--state', 'disabled')).request).toEqual({
      method: 'PATCH',
      path: '/admin/v1/apps/app%2F1',
      query: {},
      body: { state: 'disabled' },
    })
    expect((await read('listDeliveries', '--state=needs_action', '--limit', '5', '--all')).request).toEqual({
      method: 'GET',
      path: '/admin/v1/deliveries',
      query: { state: 'needs_action', limit: '5' },
    })
  })

  it('are read by their type', async () => {
    expect(await bodyOf('setAdmission', '--paused')).toEqual({ paused: true })
    expect(await bodyOf('setAdmission', '--paused=false')).toEqual({ paused: false })
    expect(await bodyOf('setAdmission', '--no-paused')).toEqual({ paused: false })
    expect(await bodyOf('updateApp', 'a', '--pending-limit', '7', '--no-name')).toEqual({
      pending_limit: 7,
      name: null,
    })
    expect(await bodyOf('publishVersion', 'a', 'e', '--accepts', 'text/*,image/png', '--accepts', 'audio/*')).toEqual({
      accepts: ['text/*', 'image/png', 'audio/*'],
    })
    expect(await bodyOf('publishVersion', 'a', 'e', '--accepts', '')).toEqual({ accepts: [] })
    expect(await bodyOf('publishVersion', 'a', 'e', '--assistant', '{"type":"echo"}')).toEqual({
      assistant: { type: 'echo' },
    })
  })

  it('give the body as JSON or as a file, and flags override its members', async () => {
    expect(await bodyOf('createApp', '--body', '{"owner_id":"o"}')).toEqual({ owner_id: 'o' })
    expect(await bodyOf('createApp', '--body', '@body.json', '--owner-id', 'flag')).toEqual({
      owner_id: 'flag',
      name: 'Desk',
    })
  })

  it('set the own --url of a command instead of the address of the gateway', async () => {
    const { common, request } = await read('updateCallback', 'cb', '--url', 'https://orders.example.com/')
    expect([common.url, request.body]).toEqual([null, { url: 'https://orders.example.com/' }])
    expect((await read('listApps', '--url', 'http://127.0.0.1:1')).common.url).toBe('http://127.0.0.1:1')
  })

  test.each(commands.map((each) => [each.operationId, each] as const))(
    'from the example in the help of %s produce the body of the example in the contract',
    async (operationId, { body, arguments: args }) => {
      const { faults, request } = await read(operationId, ...exampleOf(command(operationId)))
      expect(faults).toEqual([])
      expect(request.body).toEqual(body?.example)
      for (const { example } of args) expect(request.path).toContain(`/${example}`)
    },
  )
})

describe('A fault', () => {
  test.each([
    [['createApp'], '--owner-id is required'],
    [['createApp', '--ownerid', 'x'], '--ownerid is not a flag of this command; did you mean --owner-id?'],
    [['createApp', '--owner_id=x'], '--owner_id is not a flag of this command; did you mean --owner-id?'],
    [['createApp', '--owner-id'], '--owner-id needs a value'],
    [
      ['createApp', '--owner-id', '--json'],
      '--owner-id needs a value; one that begins with a dash is written --owner-id=<value>',
    ],
    [['createApp', '--owner-id', 'o', '--app-id', 'a b'], '--app-id must match pattern "^[A-Za-z0-9_-]{1,64}$"'],
    [['createApp', '--owner-id', 'o', '--pending-limit', 'many'], '--pending-limit must be an integer'],
    [['createApp', '--owner-id', 'o', '--pending-limit', '-1'], '--pending-limit must be >= 0'],
    [['createApp', '--owner-id', 'o', '--name', 'x', '--body', '@gone'], '--body cannot be read: gone does not exist'],
    [
      ['createApp', '--owner-id', 'o', '--body', '@list.json'],
      '--body must be a JSON object, or @ and the path of a file that holds one',
    ],
    [
      ['createKey', 'a', '--scopes', 'runs:read,all'],
      '--scopes must be from conversations:read, conversations:write, runs:read, runs:write',
    ],
    [['decideApproval', 'a', '--decision', 'maybe'], '--decision must be one of approve, deny'],
    [['updateApp', 'a', '--name', 'x', '--no-name'], '--name and --no-name exclude each other'],
    [['updateDevice', 'd'], 'one of --name, --pending-limit, --stream-limit is required'],
    [['setAdmission', '--paused=no'], '--paused accepts only true or false, as in --paused=false'],
    [
      ['setAdmission', '--paused', 'false'],
      'there are more arguments than expected (none); a switch is set as in --enabled=false',
    ],
    [['publishVersion', 'a', 'e', '--assistant', 'echo'], '--assistant must be JSON'],
    [['getApp'], '<app_id> is missing'],
    [['getApp', '..'], '<app_id> must be an ID'],
    [['getApp', 'a', 'b'], 'there are more arguments than expected (<app_id>)'],
    [['getApp', 'a', '--all'], '--all is not a flag of this command'],
  ])('of %j is reported in one message', async ([operationId = '', ...args], fault) => {
    expect(await faultsOf(operationId, ...args)).toEqual([fault])
  })

  it('never contains the value, which may be a secret', async () => {
    const secret = 'whsec_do_not_show'
    const given = [
      '--secrte',
      secret,
      '--events',
      secret,
      '--body',
      secret,
      '--url',
      `x ${secret}`,
      '--enabled',
      secret,
    ]
    const faults = await faultsOf('createCallback', ...given)
    expect(faults.length).toBeGreaterThan(2)
    expect(faults.join('\n')).not.toContain(secret)
  })
})
