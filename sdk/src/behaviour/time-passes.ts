export * from '../../../openapi/src/behaviour/time-passes.ts'
