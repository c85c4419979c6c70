export * from '../../../openapi/src/behaviour/approvals.ts'
