/** How long a statement or a transaction may take where nothing else is said, its wait for a connection included. */
export const DEADLINE_MS = 10_000

/** Statements and transactions of one process that wait for a connection to the database. */
export const WAITING_AT_MOST = 1000
