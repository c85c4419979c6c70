// Generated from openapi/generated/admin.ts by `npm run generate`. Do not edit.

export type * from '../../../openapi/generated/admin.ts'
