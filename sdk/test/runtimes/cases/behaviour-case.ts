import type { Context } from '../context.ts'

/** A behaviour that the SDK must have in every runtime. */
export interface BehaviourCase {
  /** A sentence that states the behaviour. */
  readonly name: string
  /** Rejects when the case fails. */
  run(context: Context): Promise<void>
}
