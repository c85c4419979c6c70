export * from '../../../openapi/src/behaviour/run-state.ts'
