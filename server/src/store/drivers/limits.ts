/** Default timeout of a statement or transaction, including its wait for a connection. */
export const DEADLINE_MS = 10_000

/** Maximum statements and transactions of one process that wait for a connection. */
export const WAITING_AT_MOST = 1000
