// Generated from openapi/generated/limits.ts by `pnpm generate`. Do not edit.

export * from '../../../openapi/generated/limits.ts'
