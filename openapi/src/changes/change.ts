/** A JSON object of a contract. */
export type Node = { readonly [member: string]: unknown }

/** One difference between two versions of a contract. */
export interface Change {
  /** `breaking`: a client or a receiver that did right by the earlier version can fail with the later one. */
  readonly kind: 'breaking' | 'compatible'
  /** Where: operation or webhook, then the way into it. */
  readonly at: string
  /** What, as the end of a sentence: `the member is new`. */
  readonly what: string
}

/** A value is sent by the client (`in`) or by the gateway (`out`). */
export type Direction = 'in' | 'out'

/** A change after which fewer values are allowed: a client may send what is refused now. */
export const narrower = (direction: Direction, at: string, what: string): Change => ({
  kind: direction === 'in' ? 'breaking' : 'compatible',
  at,
  what,
})

/** A change after which more values are allowed: a client may get what it does not expect. */
export const wider = (direction: Direction, at: string, what: string): Change => ({
  kind: direction === 'out' ? 'breaking' : 'compatible',
  at,
  what,
})

export const breaking = (at: string, what: string): Change => ({ kind: 'breaking', at, what })
export const compatible = (at: string, what: string): Change => ({ kind: 'compatible', at, what })

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const toNode = (value: unknown): Node => (isNode(value) ? value : {})
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The members of either of two objects. */
export const membersOf = (a: Node, b: Node): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])]
