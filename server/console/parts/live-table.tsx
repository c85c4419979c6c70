import type { LiveList } from '../data/live-list.ts'
import { type Column, DataTable } from './data-table.tsx'
import { Problem } from './page.tsx'

interface LiveTableProps<Row> {
  readonly label: string
  readonly list: LiveList<Row>
  readonly columns: readonly Column<Row>[]
  /** Shown when the list has loaded and has no rows. */
  readonly empty: string
}

/** The table of a live list, below the list's error. */
export const LiveTable = <Row,>({ label, list, columns, empty }: LiveTableProps<Row>) => {
  const unloaded = list.error === null ? 'Loading …' : null
  return (
    <>
      <Problem text={list.error} />
      <DataTable
        label={label}
        columns={columns}
        rows={list.items}
        keyOf={list.idOf}
        empty={list.isLoaded ? empty : unloaded}
        isWhole={list.isWhole}
        onShown={list.onShown}
      />
    </>
  )
}
