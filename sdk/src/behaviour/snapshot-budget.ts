export * from '../../../openapi/src/behaviour/snapshot-budget.ts'
