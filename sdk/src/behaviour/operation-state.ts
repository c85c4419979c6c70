export * from '../../../openapi/src/behaviour/operation-state.ts'
