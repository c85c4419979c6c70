export * from '../../../openapi/src/behaviour/stop-work.ts'
