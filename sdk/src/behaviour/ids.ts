export * from '../../../openapi/src/behaviour/ids.ts'
