export * from '../../../openapi/src/behaviour/run-time.ts'
