import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import { depthOf, findMember, nodesOf, parsedOf, textOf } from './find-value.ts'
import { findJsonFaults } from './json-faults.ts'
import { JsonText } from './json-text.ts'
import { BODY_LIMITS, TOO_MANY_NODES } from './limits.ts'
import { parseJson } from './parse-json.ts'
import type { ScannedJson } from './scanned-json.ts'
import { ENTRY_SIZE, endOf, entryAfter, kindOf, OPEN_OBJECT, ROOT, startOf } from './scanned-json.ts'

/** Member names that lead from the whole text to a value. */
export type Path = readonly string[]

/**
 * Parses a JSON text. Each object at one of these paths becomes a `JsonText` and is not parsed. No path may lead
 * through an object at another path.
 */
export const readValue = (json: ScannedJson, verbatim: readonly Path[]): unknown => {
  const kept = verbatim
    .map((path) => ({ path, entry: findAt(json, path) }))
    .filter((place): place is Place => place.entry !== null && kindOf(json, place.entry) === OPEN_OBJECT)
  if (kept.length === 0) return parsedOf(json, ROOT)
  const value: unknown = parseJson(textWithout(json, kept))
  for (const { path, entry } of kept) putAt(value, path, keepText(json, entry))
  return value
}

/**
 * Parses one value of a text. Refuses too many values and what cannot be stored, as in a whole body.
 * @param verbatim Whether an object is kept as a `JsonText`.
 */
export const readPart = (
  json: ScannedJson,
  entry: number,
  { verbatim }: { readonly verbatim: boolean },
): { readonly value: unknown } | { readonly faults: readonly Fault[] } => {
  if (nodesOf(json, entry) > BODY_LIMITS.nodes) return { faults: [{ pointer: '', message: TOO_MANY_NODES }] }
  const faults = findJsonFaults(json, entry)
  if (faults.length > 0) return { faults }
  return { value: verbatim && kindOf(json, entry) === OPEN_OBJECT ? keepText(json, entry) : parsedOf(json, entry) }
}

/** An object as a `JsonText`. */
const keepText = (json: ScannedJson, object: number): JsonText =>
  new JsonText(textOf(json, object), depthOf(json, object), entryAfter(json, object) === object + ENTRY_SIZE)

interface Place {
  readonly path: Path
  readonly entry: number
}

const findAt = (json: ScannedJson, path: Path): number | null =>
  path.reduce<number | null>((entry, name) => (entry === null ? null : findMember(json, entry, name)), ROOT)

/** The text with `null` at these places. */
const textWithout = (json: ScannedJson, places: readonly Place[]): string => {
  let text = ''
  let from = 0
  for (const { entry } of places.toSorted((a, b) => a.entry - b.entry)) {
    text += `${json.bytes.toString('utf8', from, startOf(json, entry))}null`
    from = endOf(json, entry)
  }
  return text + json.bytes.toString('utf8', from)
}

const putAt = (root: unknown, path: Path, value: JsonText): void => {
  let object = root
  for (const [index, name] of path.entries()) {
    if (typeof object !== 'object' || object === null) return
    if (index === path.length - 1) Reflect.set(object, name, value)
    else object = Reflect.get(object, name)
  }
}
