import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSnippets, makeSnippetFolder } from '../support/compile-snippets.ts'
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import { type Block, readBlocks } from '../support/markdown-blocks.ts'
import { checkReceiver } from '../support/receiver-snippet.ts'

const run = promisify(execFile)
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

const snippets = readBlocks(await readFile(join(PACKAGE, 'README.md'), 'utf8')).filter(
  ({ language }) => language === 'ts',
)
const fileOf = ({ line }: Block): string => `line-${line}.ts`
const usedAs = (...words: string[]): Block[] => snippets.filter((each) => each.words.join(' ') === words.join(' '))

let folder = ''
let gateway: GatewayProcess
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await makeSnippetFolder(PACKAGE, 'readme')
  for (const snippet of snippets) await writeFile(join(folder, fileOf(snippet)), snippet.code)
  // Like `npm start` on an empty database, this creates the demo and stores its key beside the data.
  const data = join(folder, 'data')
  gateway = await startGateway({ GATEWAY_BOOTSTRAP: undefined, GATEWAY_DATA_DIR: data })
  const key = (await readFile(join(data, 'demo-key'), 'utf8')).trim()
  env = { PATH: process.env.PATH, GATEWAY_BASE_URL: gateway.origin, GATEWAY_API_KEY: key }
})

afterAll(async () => {
  await gateway?.remove()
  await rm(folder, { recursive: true, force: true })
})

describe('the README', () => {
  it('has snippets, and a known use for each of its TypeScript blocks', () => {
    expect(snippets.length).toBeGreaterThan(5)
    expect(usedAs().length + usedAs('quickstart').length + usedAs('serve').length).toBe(snippets.length)
  })

  it('has snippets that compile', async () => {
    expect(await compileSnippets(folder)).toBe('')
  })

  it.each(usedAs())('has a snippet at line $line that runs to its end', async (snippet) => {
    const { stderr } = await run(process.execPath, [fileOf(snippet)], { cwd: folder, env })
    expect(stderr).toBe('')
  })

  it('starts with a quickstart that prints the echo and how the run ended', async () => {
    const [first] = usedAs('quickstart')
    expect(first).toBe(snippets[0])
    const { stdout } = await run(process.execPath, [first ? fileOf(first) : ''], { cwd: folder, env })
    expect(stdout).toBe('Hello there\nsucceeded\n')
  })

  it('starts with a quickstart that throws when the run fails', async () => {
    const [first] = usedAs('quickstart')
    const script =
      "{ data: { script: [{ delta: 'half' }, { fail: { code: 'MODEL_UNAVAILABLE', message: 'Gone.' } }] } }"
    const code = first?.code.replace("'ep_demo_echo'", "'ep_demo_script'").replace("'Hello there'", script) ?? ''
    expect([code.includes('ep_demo_script'), code.includes(script)]).toEqual([true, true])
    await writeFile(join(folder, 'failing.ts'), code)
    const ended = run(process.execPath, ['failing.ts'], { cwd: folder, env })
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: 'half',
      stderr: expect.stringMatching(/RunFailedError: Run run_\w+ ended failed: MODEL_UNAVAILABLE: Gone\./),
    })
  })

  it('has a receiver that accepts a signed callback and refuses an unsigned one', async () => {
    const [receiver, ...others] = usedAs('serve')
    expect(others).toEqual([])
    await checkReceiver({ file: receiver ? fileOf(receiver) : '', cwd: folder, env })
  })

  it('leaves nothing in the outbox that its snippet opened', async () => {
    expect(await readdir(join(folder, '.outbox')).catch(() => [])).toEqual([])
  })
})
