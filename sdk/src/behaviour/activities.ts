export * from '../../../openapi/src/behaviour/activities.ts'
