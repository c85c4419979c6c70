import { ApiError, GatewayError } from '../errors.ts'
import { UnreadableAnswerError } from '../transport/read-answer.ts'
import { judge } from '../transport/verdict.ts'

/** Whether the same request may succeed later without any change. */
export const mayPass = (error: unknown): error is GatewayError => {
  if (error instanceof ApiError) return judge(error.status, error.code, error.problem?.outcome).isPassing
  return error instanceof GatewayError && !(error instanceof UnreadableAnswerError)
}
