export * from '../../../openapi/src/behaviour/tenant.ts'
