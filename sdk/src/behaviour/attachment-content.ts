export * from '../../../openapi/src/behaviour/attachment-content.ts'
