// Generated from openapi/generated/gateway.ts by `npm run generate`. Do not edit.

export type * from '../../../openapi/generated/gateway.ts'
