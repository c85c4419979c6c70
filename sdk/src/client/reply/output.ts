import { GatewayError } from '../../errors.ts'
import type { Run } from '../../generated/gateway.ts'

/**
 * The part of Standard Schema (https://standardschema.dev) that is needed to check an output. Zod, Valibot, ArkType and
 * others implement it.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Absent at run time: for TypeScript only. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** A fault of a value, and its path. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A run succeeded, but its data does not match the schema of the option `output`. Asking again would start a new run.
 */
export class OutputMismatchError extends GatewayError {
  override readonly name = 'OutputMismatchError'
  readonly runId: string
  /** The issues as the schema reports them. */
  readonly issues: readonly StandardIssue[]
  /** The run's data; undefined when it has none. */
  readonly data: NonNullable<Run['result']>['data']

  constructor({ runId, issues, data }: Pick<OutputMismatchError, 'runId' | 'issues' | 'data'>) {
    const faults = issues.map(({ message, path = [] }) => `${pointerOf(path)}${message}`)
    super(
      `Run ${runId} ${data === undefined ? 'has no data' : 'has data that does not match the schema'}: ${faults.join('; ')}`,
    )
    this.runId = runId
    this.issues = issues
    this.data = data
  }
}

const pointerOf = (path: NonNullable<StandardIssue['path']>): string =>
  path.map((part) => `/${String(typeof part === 'object' ? part.key : part)}`).join('') + (path.length > 0 ? ' ' : '')
