// Generated from openapi/generated/gateway.ts by `pnpm generate`. Do not edit.

export type * from '../../../openapi/generated/gateway.ts'
