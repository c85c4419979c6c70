export * from '../../../openapi/src/document/json-values.ts'
