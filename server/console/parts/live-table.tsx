import type { LiveList } from '../data/live-list.ts'
import { type Column, DataTable } from './data-table.tsx'

interface LiveTableProps<Row> {
  readonly label: string
  readonly list: LiveList<Row>
  readonly columns: readonly Column<Row>[]
  /** Shown when the list has loaded and has no rows. */
  readonly empty: string
}

/** The table of a live list. It shows no error of the list; the page does. */
export const LiveTable = <Row,>({ label, list, columns, empty }: LiveTableProps<Row>) => (
  <DataTable
    label={label}
    columns={columns}
    rows={list.items}
    keyOf={list.idOf}
    empty={textWithoutRows(list, empty)}
    isWhole={list.isWhole}
    onShown={list.onShown}
  />
)

const textWithoutRows = (
  { isLoaded, error }: Pick<LiveList<unknown>, 'isLoaded' | 'error'>,
  empty: string,
): string | null => {
  if (isLoaded) return empty
  return error === null ? 'Loading …' : null
}
