import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** Describes a path into a value in words: `state of the first of runs`. Empty for the value itself. */
export function namePosition(path: readonly (string | number)[]): string {
  const [step, ...outer] = path.toReversed()
  if (step === undefined) return ''
  const rest = namePosition(outer.toReversed())
  const isIndex = typeof step === 'number'
  const name = isIndex ? `the ${ORDINALS[step] ?? `${step + 1}th`}` : step
  if (rest !== '') return `${name} of ${rest}`
  return isIndex ? `${name} entry` : name
}

/**
 * Describes an assertion without its own message, a comparison by its first difference: `state of the first of runs:
 * expected "queued", got "running"`. Null for every other error, and for assertions that compare nothing.
 */
export function describeAssertion(error: unknown): string | null {
  if (!(error instanceof AssertionError) || !error.generatedMessage) return null
  const { actual, expected, operator } = error
  switch (operator) {
    case 'strictEqual':
    case 'deepStrictEqual':
      return describeDifference(actual, expected)
    case 'notStrictEqual':
    case 'notDeepStrictEqual':
      return `expected any other value than ${show(actual)}`
    case 'match':
      return `expected a match of ${String(expected)}, got ${show(actual)}`
    case 'doesNotMatch':
      return `expected no match of ${String(expected)}, got ${show(actual)}`
    default:
      return null
  }
}

/** Whether the message is the default one of Node's assert, which says nothing about the system under test. */
export const hasGeneratedMessage = (error: unknown): boolean =>
  error instanceof AssertionError && error.generatedMessage

function describeDifference(actual: unknown, expected: unknown): string {
  const path = findDifference(actual, expected)
  const position = namePosition(path)
  const [got, wanted] = [actual, expected].map((value) => valueAt(value, path))
  return `${position === '' ? '' : `${position}: `}expected ${show(wanted)}, got ${show(got)}`
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)

/** The path to the first place where two values differ. */
function findDifference(actual: unknown, expected: unknown): (string | number)[] {
  if (!isContainer(actual) || !isContainer(expected) || Array.isArray(actual) !== Array.isArray(expected)) return []
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  const name = [...names].find((each) => !isDeepStrictEqual(valueAt(actual, [each]), valueAt(expected, [each])))
  if (name === undefined) return []
  const step = Array.isArray(expected) ? Number(name) : name
  return [step, ...findDifference(valueAt(actual, [name]), valueAt(expected, [name]))]
}

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, step) => Object(inner)[step], value)

const MOST_CHARACTERS = 300

const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  const text = (typeof value === 'bigint' ? String(value) : JSON.stringify(value)) ?? String(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
