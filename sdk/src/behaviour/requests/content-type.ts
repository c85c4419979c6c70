export * from '../../../../openapi/src/behaviour/requests/content-type.ts'
