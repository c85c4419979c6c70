export * from '../../../openapi/src/json-values.ts'
