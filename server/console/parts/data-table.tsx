import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Whether its values are numbers, which are aligned right. */
  readonly isNumber?: boolean
  /** Shown below the cell on a phone, in place of columns that are left out there. */
  readonly below?: (row: Row) => ComponentChildren
  /** Left out where space is limited: `wide` on a phone, `wider` below a large screen. */
  readonly only?: 'wide' | 'wider'
  /** A share of the width; default 1. */
  readonly grow?: number
}

interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Shown in place of rows; null for nothing. */
  readonly empty: ComponentChildren
  readonly isWhole?: boolean
  /**
   * Called with the range of the rows on the screen (`last` excluded): at first, on each scroll or resize, and when the
   * number of rows changes.
   */
  readonly onShown?: (first: number, last: number) => void
}

/** Rows in the document beyond those on the screen, on either side. */
const OVERSCAN = 12
/**
 * A table of any length. The document contains only the rows on and near the screen. The style sheet sets the height of
 * all rows.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, columns, rows, keyOf, empty, isWhole = true, onShown } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, last } = useShownRows(body, rows.length, onShown)
  const from = Math.max(0, first - OVERSCAN)
  const to = Math.min(rows.length, last + OVERSCAN)
  if (rows.length === 0) return empty === null ? null : <p class="calm">{empty}</p>
  const total = columns.reduce((sum, { grow = 1 }) => sum + grow, 0)
  const isTwoLined = columns.some(({ below }) => below !== undefined)
  return (
    <table
      class={isTwoLined ? 'data two-lined' : 'data'}
      aria-label={label}
      aria-rowcount={isWhole ? rows.length + 1 : -1}
    >
      <colgroup>
        {columns.map(({ title, only, grow = 1 }) => (
          <col key={title} class={only} width={`${(100 * grow) / total}%`} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ title, isNumber, only }) => (
            <th key={title} scope="col" class={classesOf(isNumber, only)}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Spacer rows={from} />
        {rows.slice(from, to).map((row, index) => (
          <tr key={keyOf(row)} aria-rowindex={from + index + 2}>
            {columns.map((column) => (
              <Cell key={column.title} column={column} row={row} />
            ))}
          </tr>
        ))}
        <Spacer rows={rows.length - to} />
      </tbody>
    </table>
  )
}

/** The title repeats the text, because the column may be too narrow to show all of it. */
const Cell = <Row,>({ column: { cell, below, isNumber, only }, row }: { column: Column<Row>; row: Row }) => {
  const content = cell(row)
  const more = below?.(row)
  return (
    <td class={classesOf(isNumber, only)} title={textOf(content)}>
      {content}
      {below !== undefined && (
        <div class="below" title={textOf(more)}>
          {more}
        </div>
      )}
    </td>
  )
}

const textOf = (content: ComponentChildren): string | undefined => (typeof content === 'string' ? content : undefined)

const Spacer = ({ rows }: { rows: number }) =>
  rows > 0 ? (
    <tr class="spacer">
      <td style={{ height: `calc(${rows} * var(--row))` }} />
    </tr>
  ) : null

const classesOf = (isNumber: boolean | undefined, only: string | undefined): string | undefined =>
  [isNumber === true ? 'number' : '', only ?? ''].filter(Boolean).join(' ') || undefined

/** Which rows of the table are on the screen. */
const useShownRows = (
  body: { readonly current: HTMLTableSectionElement | null },
  count: number,
  onShown: ((first: number, last: number) => void) | undefined,
): { first: number; last: number } => {
  const [range, setRange] = useState({ first: 0, last: 40 })
  const latest = useRef(onShown)
  latest.current = onShown
  useLayoutEffect(() => {
    const update = (): void => {
      if (body.current === null) return
      const top = -body.current.getBoundingClientRect().top
      const rowPx = Number.parseFloat(getComputedStyle(body.current).getPropertyValue('--row'))
      const first = clamp(Math.floor(top / rowPx), count)
      const last = clamp(Math.ceil((top + innerHeight) / rowPx), count)
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
      latest.current?.(first, last)
    }
    update()
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [body, count])
  return range
}

const clamp = (index: number, count: number): number => Math.min(Math.max(index, 0), count)
