import type { Schema } from '../contract.ts'

/** The constraints of a schema on a value, as text. */
export const constraintsOf = (schema: Schema): string[] => {
  const has = (name: string): boolean => schema[name] !== undefined
  const of = (name: string): string => String(schema[name])
  return [
    ...rangeOf(schema, 'minLength', 'maxLength', 'characters'),
    ...(has('maxLength') ? [] : lengthOf(of('pattern'))),
    ...(has('x-max-bytes') ? [`at most ${formatBytes(Number(schema['x-max-bytes']))} of UTF-8`] : []),
    ...rangeOf(schema, 'minimum', 'maximum', ''),
    ...rangeOf(schema, 'minItems', 'maxItems', 'items'),
    ...(schema.uniqueItems === true ? ['no item twice'] : []),
    ...(has('x-max-depth') ? [`at most ${of('x-max-depth')} levels deep`] : []),
    ...(has('pattern') ? [`matches \`${of('pattern')}\``] : []),
    ...(has('format') && schema.format !== 'binary' ? [`format \`${of('format')}\``] : []),
    ...(has('default') ? [`default \`${JSON.stringify(schema.default)}\``] : []),
  ]
}

/** The length that a pattern such as `^[a-z]{1,64}$` allows; none for patterns of another form. */
const lengthOf = (pattern: string): string[] => {
  const [, from, to] = /^\^\[(?:[^\]\\]|\\.)+\]\{(\d+),(\d+)\}\$$/.exec(pattern) ?? []
  return to === undefined ? [] : [`${from} to ${to} characters`]
}

/** An upper bound of this value is not shown: it only states that JavaScript represents the integer exactly. */
const UNSHOWN_BOUND = Number.MAX_SAFE_INTEGER

const rangeOf = (schema: Schema, low: string, high: string, what: string): string[] => {
  const [from, to] = [schema[low], schema[high]]
  const unit = what === '' ? '' : ` ${what}`
  const hasEnd = to !== undefined && Number(to) < UNSHOWN_BOUND
  if (from !== undefined && hasEnd) return [`${from} to ${to}${unit}`]
  if (hasEnd) return [`at most ${to}${unit}`]
  return from !== undefined ? [`at least ${from}${unit}`] : []
}

const KIB = 1024

/** 65536 → 64 KiB. */
export const formatBytes = (bytes: number): string => {
  if (bytes >= KIB * KIB && bytes % (KIB * KIB) === 0) return `${bytes / KIB / KIB} MiB`
  return bytes >= KIB && bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes} bytes`
}
