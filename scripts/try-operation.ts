/**
 * Adds an operation, a paged list with a schema and an error code of its own, to a copy of the repository, generates, and
 * prints every file that types and gates then ask for: `node scripts/try-operation.ts`. Exits 1 when CONTRIBUTING.md does
 * not name one of them, or names one that nothing asks for.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const PACKAGES = ['.', 'openapi', 'sdk', 'server', 'conformance', 'docs']
const OWN = '@conversation-gateway'
const CODE = 'RUNS_NOT_LISTED'

const PATH_ITEM = `
ConversationRuns:
  get:
    operationId: listConversationRuns
    x-sdk-method: list
    tags: [runs]
    summary: List runs
    description: The runs of a conversation, newest first.
    security:
      - apiKey: [runs:read]
    x-pagination:
      items: runs
      limit: limit
      cursor: { query: before, field: run_id, from: last }
      order: newest-first
      end: empty-page
    parameters:
      - { $ref: ../components/parameters.yaml#/ConversationId }
      - { $ref: ../components/parameters.yaml#/Limit }
      - { $ref: ../components/parameters.yaml#/BeforeConversation }
      - { $ref: ../components/parameters.yaml#/ServiceSubject }
      - { $ref: ../components/parameters.yaml#/RequestId }
    responses:
      '200':
        description: One page.
        headers:
          X-Request-Id: { $ref: ../components/headers.yaml#/RequestId }
        content:
          application/json:
            schema: { $ref: ../components/runs.yaml#/RunList }
      '400': { $ref: ../components/responses.yaml#/InvalidRequest }
      '401': { $ref: ../components/responses.yaml#/Unauthenticated }
      '403': { $ref: ../components/responses.yaml#/PermissionDenied }
      '404': { $ref: ../components/responses.yaml#/NotFound }
      '409': { $ref: ../components/responses.yaml#/RunsNotListed }
      '429': { $ref: ../components/responses.yaml#/RateLimited }
      '500': { $ref: ../components/responses.yaml#/Internal }
      '503': { $ref: ../components/responses.yaml#/Unavailable }
`
const SCHEMA = `
RunList:
  description: One page of runs.
  type: object
  required: [runs]
  properties:
    runs:
      type: array
      maxItems: 100
      items: { $ref: '#/Run' }
  examples:
    - runs: []
`
const ERROR = `
${CODE}:
  status: 409
  title: Runs not listed
  description: The runs of this conversation are not listed now. Try again later.
  retryable: true
  happened: nothing
`
const RESPONSE = `
RunsNotListed:
  description: The runs are not listed now.
  x-error-codes: [${CODE}]
  headers:
    X-Request-Id: { $ref: headers.yaml#/RequestId }
  content:
    application/problem+json:
      schema: { $ref: problem.yaml#/Problem }
      examples:
        notListed:
          value: { type: '/docs/errors#${CODE}', title: Runs not listed, status: 409, detail: Try again later., code: ${CODE}, request_id: req-1 }
`

const copy = mkdtempSync(join(tmpdir(), 'operation-'))
function copyRepository(): void {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n')
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file))
  }
  for (const name of PACKAGES) linkDependencies(name)
}

/** The dependencies are those of the repository; the packages of the workspace are those of the copy. */
function linkDependencies(name: string): void {
  const from = join(ROOT, name, 'node_modules')
  if (!existsSync(from)) return
  for (const entry of readdirSync(from))
    for (const dependency of entry.startsWith('@')
      ? readdirSync(join(from, entry)).map((each) => join(entry, each))
      : [entry]) {
      const link = join(copy, name, 'node_modules', dependency)
      mkdirSync(dirname(link), { recursive: true })
      const isOwn = entry === OWN
      symlinkSync(
        isOwn ? join(copy, dependency.slice(OWN.length + 1)) : realpathSync(join(from, dependency)),
        link,
        'junction',
      )
    }
}

/** What a person writes in the contract, and nothing else. */
function addOperation(): void {
  append('openapi/paths/runs.yaml', PATH_ITEM)
  append('openapi/components/runs.yaml', SCHEMA)
  append('openapi/components/errors.yaml', ERROR)
  append('openapi/components/responses.yaml', RESPONSE)
  insert(
    'openapi/gateway.yaml',
    'paths:\n',
    '  /api/v1/conversations/{conversation_id}/runs: { $ref: paths/runs.yaml#/ConversationRuns }\n',
  )
  insert('openapi/gateway.yaml', '  x-errors:\n', `    ${CODE}: { $ref: components/errors.yaml#/${CODE} }\n`)
}

function append(file: string, text: string): void {
  const path = join(copy, file)
  writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd()}\n${text}`)
}

function insert(file: string, after: string, text: string): void {
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  if (!before.includes(after)) throw new Error(`${file} has no ${after}`)
  writeFileSync(
    path,
    before.replace(after, () => after + text),
  )
}

function run(program: string, args: readonly string[]): string {
  const env = { ...process.env, PATH: `${join(copy, 'node_modules/.bin')}:${process.env.PATH}` }
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: copy, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (program === 'node' && args[0] === 'openapi/src/generate.ts' && status !== 0) throw new Error(stderr)
  return stdout
}

const askedByTypes = (): string[] =>
  [...run('tsc', ['-p', 'tsconfig.json', '--incremental', 'false']).matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)].map(
    ([, file = '']) => file,
  )

function askedByTests(): string[] {
  const report = join(copy, 'report.json')
  run('vitest', [
    'run',
    '--project',
    'unit',
    '--reporter',
    'json',
    '--outputFile',
    report,
    'openapi/test',
    'sdk/test/testing/contract.test.ts',
  ])
  const { testResults }: { testResults: { name: string; status: string }[] } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name.slice(realpathSync(copy).length + 1))
}

/** The operation is to be named by a check of the suite, or by a reason why not. */
const askedByOperationGate = (): string[] =>
  /listConversationRuns/.test(run('node', ['conformance/scripts/suite-coverage.ts']))
    ? ['conformance/operations.yaml']
    : []

/** The files between the backticks of the section, but for those of the contract, which one begins with. */
function namedFiles(): Set<string> {
  const [, section = ''] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('### What is asked for\n')
  const list = section.split('\n#', 1)[0] ?? ''
  return new Set([...list.matchAll(/^\| `([^`]+)`/gm)].map(([, file = '']) => file))
}

try {
  copyRepository()
  addOperation()
  run('node', ['openapi/src/generate.ts'])
  const asked = [...new Set([...askedByTypes(), ...askedByTests(), ...askedByOperationGate()])].sort()
  for (const file of asked) console.log(file)
  const named = namedFiles()
  const missing = asked.filter((file) => !named.has(file))
  const needless = [...named].filter((file) => !asked.includes(file))
  for (const file of missing) console.error(`CONTRIBUTING.md does not name ${file}`)
  for (const file of needless) console.error(`CONTRIBUTING.md names ${file}, which nothing asks for`)
  process.exitCode = missing.length + needless.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
