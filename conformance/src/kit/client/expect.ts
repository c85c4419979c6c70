import { isDeepStrictEqual } from 'node:util'
import { CommandError, type ErrorKind } from './commands.ts'

const MAX_SHOWN = 600

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Fails the check with this message unless the condition is true. */
export function expectThat(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Fails the check unless both are deeply equal. @param what The subject of the message. */
export const expectEqual = (what: string, actual: unknown, expected: unknown): void =>
  expectThat(isDeepStrictEqual(actual, expected), `${what} must be ${show(expected)}, but is ${show(actual)}`)

/** Fails the check unless `actual` has these members with these values. It may have further members. */
export const expectMembers = (what: string, actual: object, expected: Readonly<Record<string, unknown>>): void => {
  const found: Readonly<Record<string, unknown>> = { ...actual }
  for (const [name, value] of Object.entries(expected)) expectEqual(`${name} of ${what}`, found[name], value)
}

/** Returns the command's error. Fails the check unless it has one of these kinds. */
export const expectError = async (
  what: string,
  result: Promise<unknown>,
  ...kinds: readonly [ErrorKind, ...ErrorKind[]]
): Promise<CommandError> => {
  const error = await result.then(
    (value) => {
      throw new Error(`${what} must end with an error (${kinds.join(' or ')}), but succeeded with ${show(value)}`)
    },
    (reason: unknown) => reason,
  )
  if (!(error instanceof CommandError)) throw error
  expectThat(
    kinds.includes(error.kind),
    `${what} must end with an error of kind ${kinds.join(' or ')}, but ended with ${show(error.details)}`,
  )
  return error
}
