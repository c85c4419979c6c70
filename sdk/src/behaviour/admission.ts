export * from '../../../openapi/src/behaviour/admission.ts'
