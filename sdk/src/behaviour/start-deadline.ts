export * from '../../../openapi/src/behaviour/start-deadline.ts'
