import { describe, expect, it } from 'vitest'
import { admin, gateway } from '../../test/support/documents.ts'
import { generateSdkOperations } from './sdk-operations.ts'

const rowOf = (source: string, operationId: string): string => {
  const [row] = new RegExp(`^ {2}${operationId}: (\\{.+\\},?$|\\{$[\\s\\S]*?^ {2}\\})`, 'm').exec(source) ?? []
  if (row === undefined) throw new Error(`There is no row of ${operationId}`)
  return row
}

describe('the behaviour table of the client', () => {
  const table = generateSdkOperations(gateway, 'openapi/gateway.yaml', 'OPERATIONS')

  it('has the key of an operation that is replayed, and how long it is remembered', () => {
    expect(rowOf(table, 'sendMessage')).toMatch(/key: \{\s*header: "Idempotency-Key",\s*retentionMs: 604800000\s*\}/)
    expect(rowOf(table, 'getRun')).not.toContain('key')
  })

  it('marks answers that are not JSON', () => {
    expect(rowOf(table, 'getResourceContent')).toContain('answer: "bytes"')
    expect(rowOf(table, 'deleteResource')).toContain('answer: "nothing"')
    expect(rowOf(table, 'putResourceContent')).not.toContain('answer')
  })

  it('has only operations that take a bearer token', () => {
    expect(table).not.toContain('receiveWebhook')
  })

  it('has the lowest role for each operation of the operator, and for no other operation', () => {
    const operator = generateSdkOperations(admin, 'openapi/admin.yaml', 'ADMIN_OPERATIONS')
    expect(rowOf(operator, 'getRunTimeline')).toContain('operatorRole: "read"')
    expect(rowOf(operator, 'pauseDevice')).toContain('operatorRole: "operate"')
    expect(rowOf(operator, 'createKey')).toContain('operatorRole: "admin"')
    expect(table).not.toContain('operatorRole:')
  })

  it('exports a type of the operations with a key, if there are any', () => {
    expect(table).toContain("export type IdempotentOperationId = 'createConversation' | 'sendMessage'")
    const operator = generateSdkOperations(admin, 'openapi/admin.yaml', 'ADMIN_OPERATIONS')
    expect(operator).not.toContain('IdempotentOperationId')
    expect(operator).toContain("import type { OperationInfo } from './operations.ts'")
  })
})
