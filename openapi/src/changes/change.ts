/** A JSON object of a contract. */
export type Node = { readonly [member: string]: unknown }

/** One difference between two versions of a contract. */
export interface Change {
  /** `breaking`: a correct client or receiver of the earlier version can fail with the later one. */
  readonly kind: 'breaking' | 'compatible'
  /** The location: operation or webhook, then the path inside it. */
  readonly at: string
  /** The change as text, such as `the member is new`. */
  readonly what: string
}

/** A value is sent by the client (`in`) or by the gateway (`out`). */
export type Direction = 'in' | 'out'

/** A change that allows fewer values: a request that was valid may now be refused. */
export const narrower = (direction: Direction, at: string, what: string): Change => ({
  kind: direction === 'in' ? 'breaking' : 'compatible',
  at,
  what,
})

/** A change that allows more values: a client may receive a value that it does not expect. */
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
