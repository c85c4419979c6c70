export * from '../../../openapi/src/behaviour/content-type.ts'
