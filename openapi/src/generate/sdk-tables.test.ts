import { describe, expect, it } from 'vitest'
import { admin, gateway } from '../../test/support/documents.ts'
import type { Document } from '../document/document.ts'
import { generateSdkEnums } from './sdk-enums.ts'
import { generateSdkErrors } from './sdk-errors.ts'

describe('the error table of the client', () => {
  const [table = ''] = generateSdkErrors(gateway, admin).split('export const CODE_VERDICTS')

  it('has every code of both documents once, its text as a comment only', () => {
    const codes = [...table.matchAll(/^ {2}([A-Z_]+): \{/gm)].map(([, code]) => code)
    const wanted = Object.keys({ ...gateway.components['x-errors'], ...admin.components['x-errors'] })
    expect(codes.sort()).toEqual(wanted.sort())
    expect(table).toContain("  BUSY: { status: 409, retryable: false, happened: 'nothing' },")
    expect(table).toContain(
      "  GENERATION_CONFLICT: { status: 409, retryable: false, happened: 'nothing', finalForKey: true },",
    )
    expect(table).toContain("  INTERNAL: { status: 500, retryable: true, happened: 'unknown' },")
  })
})

describe('the verdicts of codes', () => {
  it('are only those that differ from the verdict of the status', () => {
    const verdicts = generateSdkErrors(gateway, admin).split('export const CODE_VERDICTS')[1] ?? ''
    expect([...verdicts.matchAll(/^ {2}([A-Z_]+): \{/gm)].map(([, code]) => code).sort()).toEqual([
      'CAPABILITY_UNAVAILABLE',
      'GENERATION_CONFLICT',
      'IDEMPOTENCY_CONFLICT',
      'INVALID_REQUEST',
      'NOT_FOUND',
      'PAYLOAD_TOO_LARGE',
      'UNKNOWN_FIELD',
      'UNSUPPORTED_MEDIA_TYPE',
      'WEBHOOK_CONFLICT',
    ])
  })
})

describe('the open enumerations of the client', () => {
  const withEnum = (name: string): Document => ({
    ...gateway,
    components: {
      ...gateway.components,
      schemas: {
        [name]: { 'x-open-enum': true, anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] },
        Closed: { enum: ['c'] },
      },
    },
  })

  it.each([
    ['RunState', 'RUN_STATES'],
    ['ResourceStatus', 'RESOURCE_STATUSES'],
    ['Colour', 'COLOURS'],
  ])('have the values of %s as %s, a type and a guard', (name, constant) => {
    const source = generateSdkEnums(withEnum(name))
    expect(source).toContain(`export const ${constant} = ["a", "b"] as const`)
    expect(source).toContain(`export type Known${name} = (typeof ${constant})[number]`)
    expect(source).toContain(
      `export const isKnown${name} = (value: string): value is Known${name} => has(${constant}, value)`,
    )
  })

  it('do not include closed ones', () => {
    expect(generateSdkEnums(withEnum('RunState'))).not.toContain('Closed')
  })
})
