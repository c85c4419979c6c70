export * from '../../../openapi/src/behaviour/fault-messages.ts'
