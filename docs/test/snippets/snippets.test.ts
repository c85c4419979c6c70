import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSnippets, makeSnippetFolder } from '../../../sdk/test/support/compile-snippets.ts'
import { type GatewayProcess, startGateway } from '../../../sdk/test/support/gateway-process.ts'
import type { Block } from '../../../sdk/test/support/markdown-blocks.ts'
import { checkReceiver, freePort, type ReceiverProgram } from '../../../sdk/test/support/receiver-snippet.ts'
import { deliverCallback } from './deliver-callback.ts'
import { type Document, readDocuments } from './documents.ts'
import { createReader, type Reader } from './reader.ts'
import { matchesOutput, useOf } from './snippet-use.ts'

/** The package whose dependencies the snippets have: the client, express, fastify, msw. */
const SDK = fileURLToPath(new URL('../../../sdk', import.meta.url))
const MAIN = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

/** Tests of the server run their shell commands, against gateways with special settings. */
const SHELL_RUN_ELSEWHERE = ['docs/guides/receive-callbacks.md', 'docs/guides/receive-webhooks.md']

/** This guide runs the conformance suite for minutes, so check-your-own.test.ts follows it. */
const FOLLOWED_SEPARATELY = 'docs/guides/check-your-own.md'

const documents = (await readDocuments()).filter(({ path }) => path !== FOLLOWED_SEPARATELY)
const folderOf = ({ path }: Document): string => join(folder, path.replace(/\W+/g, '-'))
const fileOf = (block: Block): string => {
  const use = useOf(block)
  return use.kind === 'file' ? use.name : `line-${block.line}.ts`
}

let folder = ''
let gateway: GatewayProcess
let env: NodeJS.ProcessEnv
const readers: Reader[] = []
/** Ports in the texts, and the ports that replace them. */
const ports = new Map<string, number>()

beforeAll(async () => {
  folder = await makeSnippetFolder(SDK, 'docs')
  for (const port of ['9000', '9001', '9002', '9003']) ports.set(port, await freePort())
  const data = join(folder, 'data')
  // Like `npm start` on an empty database: create the demo, and store its keys beside the data.
  gateway = await startGateway({
    GATEWAY_BOOTSTRAP: undefined,
    GATEWAY_ADMIN_TOKEN: undefined,
    GATEWAY_DATA_DIR: data,
    GATEWAY_LOG_LEVEL: 'info',
    // The default. Other tests use one second, and on a busy machine a module's process does not answer in that time.
    GATEWAY_LEASE_MS: undefined,
    GATEWAY_CALLBACK_DEV_TARGETS: `http://127.0.0.1:${ports.get('9000')}`,
  })
  const key = (await readFile(join(data, 'demo-key'), 'utf8')).trim()
  env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    GATEWAY_BASE_URL: gateway.origin,
    GATEWAY_API_KEY: key,
    // Dozens of processes load the same files.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  for (const document of documents) {
    await mkdir(folderOf(document))
    await symlink(data, join(folderOf(document), '.data'))
    for (const block of document.blocks) await writeSnippet(document, block)
  }
})

afterAll(async () => {
  // Clean up here, because a test that times out cannot do it.
  await Promise.all(readers.map((reader) => reader.leave()))
  await gateway?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Replaces the addresses of a reader's machine with those of this test. */
const localise = (code: string): string =>
  code
    .replaceAll('http://127.0.0.1:8787', gateway.origin)
    .replace(/\b900\d\b/g, (port) => String(ports.get(port) ?? port))

const writeSnippet = async (document: Document, block: Block): Promise<void> => {
  if (block.language !== 'ts' && useOf(block).kind !== 'file') return
  const path = join(folderOf(document), fileOf(block))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, localise(block.code))
}

describe('the snippets of the docs', () => {
  it('compile', async () => {
    expect(await compileSnippets(folder)).toBe('')
  })

  const withSnippets = documents.filter(({ blocks }) => blocks.length > 0)
  it.concurrent.each(withSnippets)('in $path do what the text says', async (document) => {
    const reader = createReader({ folder: folderOf(document), env, prelude: PRELUDE })
    readers.push(reader)
    await followDocument(document, reader)
  })
})

describe('the operations guide', () => {
  const guide = documents.find(({ path }) => path === 'docs/guides/operate-the-gateway.md')?.text ?? ''

  it('states the limits of the embedded database, as the README and the start-up text do [OPS-13]', () => {
    const readme = documents.find(({ path }) => path === 'README.md')?.text ?? ''
    for (const text of [guide, readme].map(withoutBlocks)) expect(text).toMatch(/\bnot\s+a\s+power\s+loss\b/)
    expect(gateway.log()).toContain('not a power loss')
  })
})

it('the guide to monitoring names only existing metrics of the gateway', async () => {
  const watch = documents.find(({ path }) => path === 'docs/guides/watch.md')?.text ?? ''
  const metrics = await (await fetch(`${gateway.origin}/metrics`)).text()
  const named = [...watch.matchAll(/`(gateway_\w+)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(8)
  for (const name of named) expect(metrics).toContain(`# TYPE ${name} `)
})

/** Makes `npm run -s admin --` work in a folder without the gateway's package.json. */
const PRELUDE = `npm() {
  case "$*" in "run -s admin -- "*) shift 4; node ${MAIN} admin "$@" ;; *) echo "npm $* is not run here" >&2; return 1 ;; esac
}`

const followDocument = async (document: Document, reader: Reader): Promise<void> => {
  let printed: string | null = null
  for (const block of document.blocks) {
    const where = `${document.path}:${block.line}`
    const use = useOf(block)
    if (use.kind === 'output') {
      if (printed === null) throw new Error(`${where} is the output of a block that prints nothing`)
      if (!matchesOutput(printed, block.code)) expect(printed, where).toBe(block.code)
      continue
    }
    printed = await follow(document, block, reader).catch((error: unknown) => {
      throw new Error(`${where}: ${error instanceof Error ? error.message : error}`)
    })
  }
}

const withoutBlocks = (text: string): string => text.replace(/^```.*?^```$/gms, '')

/** Uses a block as a reader would, and returns the output; null if the block prints nothing. */
const follow = async (document: Document, block: Block, reader: Reader): Promise<string | null> => {
  switch (useOf(block).kind) {
    case 'program':
      return reader.runProgram(fileOf(block))
    case 'shell':
      return SHELL_RUN_ELSEWHERE.includes(document.path) ? null : reader.paste(localise(block.code))
    case 'terminal':
      return reader.openTerminal(localise(block.code))
    case 'receiver':
      await receive({ file: fileOf(block), cwd: folderOf(document), env })
      return null
    case 'shown':
      if (block.language === 'json') JSON.parse(block.code)
      return null
    default:
      return null
  }
}

/** Tries a receiver with callbacks that the SDK signs, then with a callback of a gateway. */
const receive = async (program: ReceiverProgram): Promise<void> => {
  await checkReceiver(program)
  await deliverCallback(program, ports.get('9000') ?? 0, {
    origin: gateway.origin,
    apiKey: env.GATEWAY_API_KEY ?? '',
    adminToken: (await readFile(join(folder, 'data', 'admin-token'), 'utf8')).trim(),
  })
}
