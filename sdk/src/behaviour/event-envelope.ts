export * from '../../../openapi/src/behaviour/event-envelope.ts'
