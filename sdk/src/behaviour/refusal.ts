export * from '../../../openapi/src/behaviour/refusal.ts'
