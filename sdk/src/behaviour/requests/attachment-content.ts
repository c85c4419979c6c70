export * from '../../../../openapi/src/behaviour/requests/attachment-content.ts'
