export * from '../../../../openapi/src/behaviour/requests/accept.ts'
