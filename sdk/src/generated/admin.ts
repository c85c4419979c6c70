// Generated from openapi/generated/admin.ts by `pnpm generate`. Do not edit.

export type * from '../../../openapi/generated/admin.ts'
