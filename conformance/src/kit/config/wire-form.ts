import { type Ability, formOf } from './abilities.ts'

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Converts the arguments of a call to the body of a request. */
export function toRequest(ability: Ability, args: readonly unknown[]): Members {
  const members: Record<string, unknown> = {}
  for (const [at, name] of formOf(ability).takes.entries()) {
    const value = renameMembers(args[at], toSnake)
    if (name === '…') Object.assign(members, value)
    else if (value !== undefined) members[name] = value
  }
  return members
}

/** Converts the body of a request to the arguments of a call. */
export function toArguments(ability: Ability, request: Members): unknown[] {
  const { takes } = formOf(ability)
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !takes.includes(name)))
  return takes.map((name) => (name === '…' ? renameMembers(rest, toCamel) : request[name]))
}

/** Converts the result of a call to the body of an answer. */
export function toAnswer(ability: Ability, result: unknown): unknown {
  const { gives } = formOf(ability)
  if (gives === undefined) return {}
  return gives === '…' ? renameMembers(result, toSnake) : { [gives]: renameMembers(result, toSnake) }
}

/** Converts the body of an answer to the result of a call. */
export function toResult(ability: Ability, answer: Members): unknown {
  const { gives } = formOf(ability)
  if (gives === undefined) return undefined
  return renameMembers(gives === '…' ? answer : answer[gives], toCamel)
}

export const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toCamel = (name: string): string => name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())

function renameMembers(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameMembers(item, rename))
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name), renameMembers(member, rename)]),
  )
}
