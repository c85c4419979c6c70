import type { Paint } from './terminal.ts'
import { printable } from './terminal.ts'

/** A JSON object of an answer. */
export type JsonRecord = Readonly<Record<string, unknown>>

export interface Table {
  readonly text: string
  /** Columns that did not fit into the width. */
  readonly hidden: readonly string[]
}

export interface TableOptions {
  /** The column that identifies a row. It is shown first. */
  readonly id?: string
  /** Characters in a line; Infinity to cut nothing. */
  readonly width: number
  readonly paint: Paint
}

const GAP = '  '
const NOTHING = '-'
const CELL_CHARACTERS = 48
/** The minimum width of a text that is cut so that later columns fit; codes and names stay readable. */
const LEAST_OF_WORD = 10
const LEAST_OF_SENTENCE = 24
const SUMMARY_MEMBERS = ['type', 'code', 'message']
/** Members that the gateway shows only once (D-04, D-36). */
export const SHOWN_ONCE: readonly string[] = ['key', 'secret', 'token']

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
const isScalarList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.every(isScalar)

/** Aligned columns of the members that fit into one cell. Columns that are null in every row are left out. */
export const formatTable = (records: readonly JsonRecord[], { id, width, paint }: TableOptions): Table => {
  const rows = records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, summaryOf(value)])),
  )
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.every((row) => isScalar(row[name]) || isScalarList(row[name])),
  )
  const columns = names
    .toSorted((a, b) => rank(a, id, rows) - rank(b, id, rows))
    .map((name): Column => {
      const longest = width === Infinity || name === id ? width : CELL_CHARACTERS
      const cells = rows.map((row) => cut(cellText(row[name]), longest))
      const size = Math.max(name.length, ...cells.map(sizeOf))
      const least = cells.some((cell) => cell.includes(' ')) ? LEAST_OF_SENTENCE : LEAST_OF_WORD
      const ranked = rank(name, id, rows)
      return {
        name,
        cells,
        size,
        least: ranked === TEXT ? Math.min(size, Math.max(name.length, least)) : size,
        isReference: ranked >= REFERENCE,
      }
    })
    .filter(({ cells }) => cells.some((cell) => cell !== NOTHING))
  const shown = fitColumns(columns, width)
  const line = (cells: readonly string[]): string =>
    cut(cells.map((cell, index) => fit(cell, shown[index]?.size ?? 0)).join(GAP), width).trimEnd()
  const heading = line(shown.map(({ name }) => name.toUpperCase()))
  const lines = rows.map((_, row) => line(shown.map(({ cells }) => cells[row] ?? '')))
  return {
    text: [paint('bold', heading), ...lines].map((text) => `${text}\n`).join(''),
    hidden: columns.filter(({ name }) => shown.every((column) => column.name !== name)).map(({ name }) => name),
  }
}

interface Column {
  readonly name: string
  readonly cells: readonly string[]
  /** Characters that its longest cell takes. */
  readonly size: number
  /** Minimum width; texts can be cut and stay distinguishable. */
  readonly least: number
  /** A column for reference only; no text is cut to make room for it. */
  readonly isReference: boolean
}

/** The columns that fit into the width, in the order of their rank. Texts are cut if more columns then fit. */
const fitColumns = (columns: readonly Column[], width: number): readonly Column[] => {
  const sizes = new Map<Column, number>()
  let free = width + GAP.length
  const take = (column: Column, size: number): void => {
    if (sizes.size > 0 && GAP.length + size > free) return
    sizes.set(column, size)
    free -= GAP.length + size
  }
  for (const column of columns) if (!column.isReference) take(column, column.least)
  // A column that needs less than its share leaves the rest to the others.
  const byLack = [...sizes.keys()].toSorted((a, b) => a.size - a.least - (b.size - b.least))
  for (const [index, column] of byLack.entries()) {
    const share = Math.max(0, Math.floor(free / (byLack.length - index)))
    const size = Math.min(column.size, column.least + share)
    sizes.set(column, size)
    free -= size - column.least
  }
  for (const column of columns) if (column.isReference) take(column, column.size)
  return [...sizes].map(([column, size]) => ({ ...column, size }))
}

/** The most informative member of a composed value: its kind, code or message. Other values stay unchanged. */
const summaryOf = (value: unknown): unknown =>
  isRecord(value)
    ? (SUMMARY_MEMBERS.map((name) => value[name]).find((member) => typeof member === 'string') ?? value)
    : value

/** Columns that add little to the state, and would displace error and time. */
const DETAILS: ReadonlySet<string> = new Set(['delivery_state', 'start_before', 'generation', 'binding_version'])

/** Rank of texts, which can be cut. */
const TEXT = 2
/** From this rank on, columns are for reference only. */
const REFERENCE = 5

/** Distinguishing columns come first, reference columns last; among numbers, narrow ones first. */
const rank = (name: string, id: string | undefined, rows: readonly JsonRecord[]): number => {
  if (name === id) return 0
  if (name === 'state') return 1
  if (DETAILS.has(name)) return 5.5
  if (rows.some((row) => Array.isArray(row[name]))) return 6
  if (name.endsWith('_id')) return REFERENCE
  if (name.endsWith('_at')) return 4
  return rows.some((row) => typeof row[name] === 'number') ? 3 + name.length / 100 : TEXT
}

/** One line for each member, with the path of inner members; then tables for lists of records; secrets last. */
export const formatRecord = (record: JsonRecord, options: TableOptions): string => {
  const secrets = Object.entries(record).filter(([name]) => SHOWN_ONCE.includes(name))
  const members = flatten(Object.fromEntries(Object.entries(record).filter(([name]) => !SHOWN_ONCE.includes(name))))
  const lines = members.flatMap(([name, value]) => (isTable(value) ? [] : [[name, cellText(value)] as const]))
  const size = Math.max(0, ...lines.map(([name]) => name.length))
  const row = ([name, text]: readonly [string, string]): string =>
    `${options.paint('bold', pad(name, size))}${GAP}${text}\n`
  const tables = members.flatMap(([name, value]) => {
    if (!isTable(value)) return []
    const [id = ''] = Object.keys(value[0] ?? {})
    const { text, hidden } = formatTable(value, { ...options, id })
    const without = hidden.length === 0 ? '' : ` (without ${hidden.join(', ')})`
    return [`\n${options.paint('bold', name)}${without}\n${text}`]
  })
  const shownOnce = secrets.map(([name, value]) => `${GAP}${name}${GAP}${cellText(value)}\n`)
  return [
    ...lines.map(row),
    ...tables,
    ...(secrets.length === 0 ? [] : [`\n${options.paint('yellow', 'Shown only now; keep it:')}\n`, ...shownOnce]),
  ].join('')
}

const isTable = (value: unknown): value is readonly JsonRecord[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord)

const flatten = (record: JsonRecord, prefix = ''): (readonly [string, unknown])[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) && Object.keys(value).length > 0
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value] as const],
  )

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return NOTHING
  if (isScalarList(value)) return value.map(cellText).join(', ') || NOTHING
  if (typeof value === 'object') return printable(JSON.stringify(value))
  return printable(String(value)).replace(TIMESTAMP, '$1Z')
}

const sizeOf = (text: string): number => [...text].length

const fit = (text: string, size: number): string => pad(cut(text, size), size)

const pad = (text: string, size: number): string => text + ' '.repeat(Math.max(0, size - sizeOf(text)))

const cut = (text: string, size: number): string =>
  sizeOf(text) <= size ? text : `${[...text].slice(0, Math.max(0, size - 1)).join('')}…`
