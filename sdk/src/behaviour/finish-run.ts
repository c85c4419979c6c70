export * from '../../../openapi/src/behaviour/finish-run.ts'
