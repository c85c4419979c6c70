// Generated from openapi/generated/worker.ts by `pnpm generate`. Do not edit.

export type * from '../../../openapi/generated/worker.ts'
