import type { Run } from '../../generated/gateway.ts'
import { OutputMismatchError } from '../../output-mismatch-error.ts'
import { RunFailedError } from '../../run-failed-error.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The data of a run that has ended, as the schema gives it. @throws as `DataReply.data` does. */
export async function readOutput<Output>(
  { run_id: runId, state, result }: Run,
  schema: StandardSchema<Output>,
): Promise<Output> {
  if (state !== 'succeeded')
    throw new RunFailedError({ runId, state, error: result?.error ?? null, text: result?.text ?? '' })
  const data = result?.data
  const checked = await schema['~standard'].validate(data)
  if (checked.issues) throw new OutputMismatchError({ runId, issues: checked.issues, data })
  return checked.value
}
