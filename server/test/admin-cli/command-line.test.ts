import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { ADMIN_DOCUMENT, listCommands } from '../../src/admin-cli/contract.ts'
import { runGateway, startGateway } from '../support/gateway-process.ts'
import { listen } from '../support/listen.ts'
import { runAdminCli } from './support.ts'

const commands = listCommands(ADMIN_DOCUMENT)
const TOKEN = 'a-token-for-the-operator'
const environment = { GATEWAY_ADMIN_TOKEN: TOKEN }

describe('--help', () => {
  it('without a group lists all groups and commands', async () => {
    const { code, output } = await runAdminCli(['--help'], { environment: {} })
    expect(code).toBe(0)
    for (const { group, name } of commands) expect(output).toMatch(new RegExp(`^  ${group}: .*\\b${name}\\b`, 'm'))
  })

  test.each([...new Set(commands.map(({ group }) => group)), 'keys', 'deliveries'])(
    'of %s lists its commands',
    async (group) => {
      const { code, output } = await runAdminCli([group, '-h'], { environment: {} })
      expect(code).toBe(0)
      const listed = commands.flatMap(({ short, ...command }) => (short === null ? [command] : [command, short]))
      for (const command of listed) if (command.group === group) expect(output).toContain(`  ${command.name} `)
    },
  )

  test.each(commands.map((command) => [`${command.group} ${command.name}`, command] as const))(
    'of %s explains its arguments and flags, and has an example',
    async (title, { group, name, short, summary, arguments: places, query, body }) => {
      const { code, output } = await runAdminCli([group, name, '--help'], { environment: {} })
      expect(code).toBe(0)
      expect(output).toContain(`${summary}. `)
      for (const place of places) expect(output).toContain(`  <${place.name}> `)
      for (const { flag } of [...query, ...(body?.members ?? [])])
        expect(output).toMatch(new RegExp(`^  --${flag}\\b`, 'm'))
      expect(output).toContain(`For example:\n  npm run -s admin -- ${title}`)
      expect(output).not.toMatch(/undefined|\[object|D-\d/)
      if (short !== null)
        expect((await runAdminCli([short.group, short.name, '--help'], { environment: {} })).output).toBe(output)
    },
  )
})

test.each([
  [[], /^Error: a group and a command are missing\.\n[\s\S]*deliveries: list, get, retry/],
  [['delivery'], /there is no group “delivery”\..* The groups are apps, /],
  [['deliverys', 'list'], /Did you mean deliveries\?/],
  [['apps'], /^Error: a command is missing\.\n[\s\S]*create-key/],
  [['apps', 'lists'], /apps has no command “lists”\. Did you mean list\? It has list, /],
  [['--jsno', 'apps', 'list'], /--jsno is not a flag/],
  [['apps', 'list', '--limit', 'x', '--before'], /\n {2}--before needs a value\n {2}--limit must be an integer\n/],
  [['apps', 'list', '--url', 'http://gateway.example.com'], /--url must be an origin/],
])('an invalid command line %j is explained, and exits with 2', async (args, message) => {
  expect(await runAdminCli(args, { environment })).toEqual({
    code: 2,
    output: '',
    errorOutput: expect.stringMatching(message),
  })
})

describe('if no gateway answers', () => {
  const start = async (listener: RequestListener) => {
    const server = createServer(listener)
    const origin = `http://127.0.0.1:${await listen(server)}`
    const close = async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    return { origin, close }
  }
  const list = (origin: string) => runAdminCli(['apps', 'list', '--url', origin], { environment })

  it('because nothing listens at the address, the message says how to start a gateway', async () => {
    const { origin, close } = await start(() => {})
    await close()
    expect(await list(origin)).toEqual({
      code: 1,
      output: '',
      errorOutput: `Error: No gateway listens at ${origin}. Start it, or give its address with --url or GATEWAY_BASE_URL.\n`,
    })
  })

  it('because the connection breaks, the message says that the gateway cannot be reached', async () => {
    const server = await start((request) => request.socket.destroy())
    expect(await list(server.origin)).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('cannot be reached'),
    })
    await server.close()
  })

  it('but another server answers, the message asks whether that server is a gateway', async () => {
    const server = await start((_request, response) => response.writeHead(502).end('<html>'))
    expect(await list(server.origin)).toMatchObject({
      code: 1,
      errorOutput: `${server.origin} answered 502 without saying why. Is it a Conversation Gateway?\n`,
    })
    await server.close()
  })

  it('but a server answers with a redirect, the token is not sent to its target', async () => {
    const tokens: (string | undefined)[] = []
    const other = await start((request, response) => {
      tokens.push(request.headers.authorization)
      response.end('{}')
    })
    const server = await start((_request, response) => response.writeHead(307, { location: other.origin }).end())
    expect(await list(server.origin)).toMatchObject({ code: 1, errorOutput: expect.stringContaining('answered 307') })
    expect(tokens).toEqual([])
    await server.close()
    await other.close()
  })
})

test('the command line uses the token in the data folder of the gateway', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-admin-'))
  const gateway = await startGateway({ GATEWAY_DATA_DIR: folder })
  try {
    const settings = { GATEWAY_DATA_DIR: folder, GATEWAY_BASE_URL: gateway.baseUrl }
    const listed = await runGateway(settings, ['admin', 'deliveries', 'list', '--state', 'needs_action'])
    expect(listed).toEqual({ code: 0, output: 'No deliveries.\n', log: '' })
    const wrong = await runGateway(settings, ['admin', 'deliveries', 'list', '--state', 'lost'])
    expect(wrong).toMatchObject({
      code: 2,
      output: '',
      log: expect.stringContaining('--state must be one of pending, '),
    })
  } finally {
    await gateway.stop()
    await rm(folder, { recursive: true })
  }
})
