export * from '../../../openapi/src/behaviour/refused-requests.ts'
