export * from '../../../openapi/src/behaviour/accept.ts'
