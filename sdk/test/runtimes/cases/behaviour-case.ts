import type { Context } from '../context.ts'

/** One behaviour that holds in every runtime. */
export interface BehaviourCase {
  /** A sentence. */
  readonly name: string
  /** Rejects when the case fails. */
  run(context: Context): Promise<void>
}
