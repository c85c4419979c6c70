// Generated from openapi/generated/limits.ts by `npm run generate`. Do not edit.

export * from '../../../openapi/generated/limits.ts'
