export { createOutbox } from './create-outbox.ts'
export { memoryOutbox } from './memory-outbox.ts'
export type { DamagedEntry, Leftover, Outbox, OutboxEntry, OutboxStore, Recorded } from './outbox.ts'
export { type PostgresOutboxOptions, postgresOutbox, type Queryable } from './postgres-outbox.ts'
