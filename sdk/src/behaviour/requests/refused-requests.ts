export * from '../../../../openapi/src/behaviour/requests/refused-requests.ts'
