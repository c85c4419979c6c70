export * from '../../../openapi/src/behaviour/conversation-work.ts'
