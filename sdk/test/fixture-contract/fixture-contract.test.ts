import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Document } from '../../../openapi/src/document/document.ts'
import { generateSdk } from '../../../openapi/src/generate/all.ts'
import { extendContract } from './extend-contract.ts'

const SDK = fileURLToPath(new URL('../../', import.meta.url))
const CONTRACT = new URL('../../../openapi/generated/', import.meta.url)

/** The settings of the workspace without the types of Node, which the client must not need. */
const COMPILER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

const readDocument = async (name: string): Promise<Document> =>
  JSON.parse(await readFile(new URL(name, CONTRACT), 'utf8'))

describe('a contract with an additional operation, list, field, codes, state and event', () => {
  let folder = ''
  const usage = () => join(folder, 'usage.ts')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fixture-contract-'))
    await cp(join(SDK, 'src'), join(folder, 'src'), {
      recursive: true,
      filter: (path) => !/\.test(-d)?\.ts$/.test(path),
    })
    // The limits are those of the original contract, because the generated file only re-exports them.
    await cp(fileURLToPath(new URL('limits.ts', CONTRACT)), join(folder, 'src/generated/limits.ts'))
    await symlink(join(SDK, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await cp(fileURLToPath(new URL('usage.ts.txt', import.meta.url)), usage())
    const files = await generateSdk(
      extendContract(await readDocument('gateway.json')),
      await readDocument('admin.json'),
      await readDocument('worker.json'),
    )
    for (const [path, text] of Object.entries(files)) {
      const target = join(folder, path.replace(/^sdk\//, ''))
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, text)
    }
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is enough to generate the types of its client [GEN-30]', () => {
    const program = ts.createProgram([usage()], COMPILER)
    const faults = ts.getPreEmitDiagnostics(program).map(({ file, messageText, start }) => {
      const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
      return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    expect(faults).toEqual([])
  })

  it('is enough to generate the behaviour of its client', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [usage()])
    expect(JSON.parse(stdout)).toEqual({
      created: { reminder_id: 'rem_1', text: 'Call', priority: 'high' },
      attempts: 3,
      keys: 1,
      bodies: ['{"text":"Call"}'],
      refused: true,
      handle: null,
      ids: ['rem_2', 'rem_1', 'rem_0'],
      reads: [
        '/api/v1/reminders?limit=2',
        '/api/v1/reminders?limit=2&before=rem_1',
        '/api/v1/reminders?limit=2&before=rem_0',
      ],
      due: 'rem_1',
      cost: 7,
      guards: [true, true, false],
    })
  })
})
