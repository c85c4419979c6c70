export * from '../../../openapi/src/behaviour/conversation-changes.ts'
