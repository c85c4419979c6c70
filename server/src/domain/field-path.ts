/** What a path leads to in a body. `blocked`: something on the way is no object; the pointer says where. */
export type FieldReading =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'absent' }
  | { readonly kind: 'blocked'; readonly pointer: string }

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads the value at a path of member names joined by dots, through objects only and through nothing but their own
 * members: no list is entered and no prototype reached. `null`, at the end or on the way, counts as absent (D-34). The
 * value is given as it is.
 */
export const readField = (body: JsonObject, path: string): FieldReading => {
  const segments = path.split('.')
  let value: unknown = body
  for (const [index, segment] of segments.entries()) {
    if (!isObject(value)) return { kind: 'blocked', pointer: pointerOf(segments.slice(0, index)) }
    if (!Object.hasOwn(value, segment)) return ABSENT
    value = value[segment]
    if (value === null) return ABSENT
  }
  return { kind: 'value', value }
}

/** The JSON pointer (RFC 6901) to where a path leads. */
export const pointerOfPath = (path: string): string => pointerOf(path.split('.'))

const pointerOf = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const ABSENT: FieldReading = { kind: 'absent' }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
