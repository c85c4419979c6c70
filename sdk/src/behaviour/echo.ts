export * from '../../../openapi/src/behaviour/echo.ts'
