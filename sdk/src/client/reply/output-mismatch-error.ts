import { GatewayError } from '../../errors.ts'
import type { Run } from '../../generated/gateway.ts'
import type { StandardIssue } from './standard-schema.ts'

/** A run succeeded, and its data is not what the schema of the option `output` allows. Asking again would be a new run. */
export class OutputMismatchError extends GatewayError {
  override readonly name = 'OutputMismatchError'
  readonly runId: string
  /** What the schema says, as it says it. */
  readonly issues: readonly StandardIssue[]
  /** The run's data; undefined when it has none. */
  readonly data: NonNullable<Run['result']>['data']

  constructor({ runId, issues, data }: Pick<OutputMismatchError, 'runId' | 'issues' | 'data'>) {
    const faults = issues.map(({ message, path = [] }) => `${pointerOf(path)}${message}`)
    super(`Run ${runId} ${data === undefined ? 'has no data' : 'has other data than asked for'}: ${faults.join('; ')}`)
    this.runId = runId
    this.issues = issues
    this.data = data
  }
}

const pointerOf = (path: NonNullable<StandardIssue['path']>): string =>
  path.map((part) => `/${String(typeof part === 'object' ? part.key : part)}`).join('') + (path.length > 0 ? ' ' : '')
