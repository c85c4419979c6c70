export * from '../../../openapi/src/behaviour/records.ts'
