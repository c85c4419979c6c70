export * from '../../../openapi/src/behaviour/attachments.ts'
