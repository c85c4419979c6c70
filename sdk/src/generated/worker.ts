// Generated from openapi/generated/worker.ts by `npm run generate`. Do not edit.

export type * from '../../../openapi/generated/worker.ts'
