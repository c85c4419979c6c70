import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ADMIN, CONTRACTS, GATEWAY } from '../contract.ts'
import { REPOSITORY } from '../folders.ts'
import { curlExample, typescriptExample } from './request-examples.ts'

/** Compiles texts as modules of the docs package, and returns the errors of each. */
const compileAll = (sources: ReadonlyMap<string, string>): string[] => {
  const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, REPOSITORY)
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  host.readFile = (file) => sources.get(file) ?? readFile(file)
  host.fileExists = (file) => sources.has(file) || fileExists(file)
  const program = ts.createProgram([...sources.keys()], options, host)
  return [...sources.keys()].flatMap((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
  )
}

describe('the examples of the reference', () => {
  it('compile against the SDK, for every operation that the client has a method for', () => {
    const sources = new Map(
      CONTRACTS.flatMap((contract) =>
        contract.operations.flatMap(({ method, ...rest }) =>
          method === null
            ? []
            : [
                [
                  join(REPOSITORY, 'docs', `${method.operationId}.ts`),
                  typescriptExample(contract, { method, ...rest }, method),
                ] as const,
              ],
        ),
      ),
    )
    expect(sources.size).toBeGreaterThan(50)
    expect(compileAll(sources)).toEqual([])
  })

  it('name every required part of the request in curl', () => {
    const send = GATEWAY.operations.find(({ operation }) => operation.operationId === 'sendMessage')
    if (send === undefined) throw new Error('the contract has no sendMessage')
    const curl = curlExample(GATEWAY, send)
    expect(curl).toMatch(/^curl -sS -X POST "\$GATEWAY_BASE_URL\/api\/v1\/conversations\/conv_\w+\/messages"/)
    for (const part of [
      'Authorization: Bearer $GATEWAY_API_KEY',
      'Idempotency-Key: ',
      'X-Service-Subject: ',
      '"expected_generation":1',
    ])
      expect(curl).toContain(part)
  })

  it('use the operator’s token for the operator’s API', () => {
    const [first] = ADMIN.operations
    if (first === undefined) throw new Error('the operator’s contract has no operation')
    expect(curlExample(ADMIN, first)).toContain('Bearer $GATEWAY_ADMIN_TOKEN')
  })
})
