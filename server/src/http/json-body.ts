import { isUtf8 } from 'node:buffer'
import type { Fault } from '../domain/refusal.ts'
import { escapeSegment } from './faults.ts'

/**
 * Deepest nesting of a body: above what the contract allows anywhere, and far below what exhausts the stack of those
 * who walk a value recursively after the parser.
 */
export const MAX_DEPTH = 256

/** Longest pointer of a fault; a longer one is cut back to the nearest ancestor that fits. */
const MAX_POINTER_LENGTH = 1024

/** Faults that are looked for before giving up. */
const MAX_FAULTS = 100

/** A body that is not JSON as this gateway takes it. */
export class UnusableJson {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    this.faults = faults
  }
}

/**
 * Parses a JSON body. Unusable is what is not UTF-8 or not JSON, and what would not survive being stored and compared:
 * lone surrogates and NUL in any string or member name (D-25), numbers beyond double precision, members that reach for
 * a prototype, nesting deeper than `MAX_DEPTH`.
 */
export const parseJsonBody = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) return new UnusableJson([{ pointer: '', message: 'is not valid UTF-8' }])
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    return new UnusableJson([{ pointer: '', message: 'is not valid JSON' }])
  }
  // Valid UTF-8 holds no surrogates and valid JSON no raw control characters, so both can only come from escapes.
  const inspection: Inspection = { hasEscapes: bytes.includes('\\u'), path: [], faults: [] }
  inspect(value, inspection)
  return inspection.faults.length === 0 ? value : new UnusableJson(inspection.faults)
}

interface Inspection {
  readonly hasEscapes: boolean
  readonly path: (string | number)[]
  readonly faults: Fault[]
}

const inspect = (value: unknown, inspection: Inspection): void => {
  if (typeof value === 'string') {
    if (inspection.hasEscapes && !isWellFormed(value)) report(inspection, 'has a lone surrogate or NUL')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(inspection, 'is beyond the range of numbers')
  } else if (typeof value === 'object' && value !== null) {
    inspectMembers(value, inspection)
  }
}

const inspectMembers = (value: object, inspection: Inspection): void => {
  const { path, faults } = inspection
  if (path.length >= MAX_DEPTH) {
    report(inspection, `is nested deeper than ${MAX_DEPTH} levels`)
    return
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && faults.length < MAX_FAULTS; index++) {
      path.push(index)
      inspect(value[index], inspection)
      path.pop()
    }
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (faults.length >= MAX_FAULTS) return
    path.push(name)
    if (inspection.hasEscapes && !isWellFormed(name)) report(inspection, 'has a lone surrogate or NUL in its name')
    else if (reachesForPrototype(name, member)) report(inspection, 'is not an allowed member name')
    else inspect(member, inspection)
    path.pop()
  }
}

const isWellFormed = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const reachesForPrototype = (name: string, member: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype'))

const report = ({ path, faults }: Inspection, message: string): void => {
  // A member name that is not well-formed could not be sent back as it is.
  const pointer = path.map((segment) => `/${escapeSegment(String(segment).toWellFormed())}`).join('')
  faults.push({ pointer: fitPointer(pointer), message })
}

/** The pointer, or where it is too long to be sent back, that of the nearest ancestor that is not. */
export const fitPointer = (pointer: string): string =>
  pointer.length <= MAX_POINTER_LENGTH ? pointer : pointer.slice(0, pointer.lastIndexOf('/', MAX_POINTER_LENGTH))
