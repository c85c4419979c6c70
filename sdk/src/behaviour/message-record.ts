export * from '../../../openapi/src/behaviour/message-record.ts'
