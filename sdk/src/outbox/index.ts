export { memoryOutbox } from './memory-outbox.ts'
export type { Outbox } from './outbox.ts'
export { postgresOutbox, type Queryable } from './postgres-outbox.ts'
