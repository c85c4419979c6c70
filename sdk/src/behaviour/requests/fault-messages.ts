export * from '../../../../openapi/src/behaviour/requests/fault-messages.ts'
