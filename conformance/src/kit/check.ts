/** Whom a check examines: a gateway, a client of gateways, a receiver of callbacks, or a worker of a device. */
export type Target = 'server' | 'client' | 'receiver' | 'worker'

/** What is examined where nothing else is said: everything about workers is a decision. */
export const defaultProfile = (target: Target): 'core' | 'reference' => (target === 'worker' ? 'reference' : 'core')

/**
 * One named examination of one behaviour. It passes by returning and fails by throwing; the message of the error says
 * what was expected and what came.
 *
 * A check cites the rules that it proves. They agree in target, profile and level, so that a verdict means one thing:
 * a check of the profile `core` relies on nothing that the specification leaves open.
 */
export interface Check<Context, Need extends string = string> {
  /** Stable and unique: topic and behaviour, `idem/replay-answers-the-same`. What baselines and `--check` name. */
  readonly id: string
  /** A sentence of behaviour: `a replay returns the first answer, byte for byte`. */
  readonly title: string
  /** IDs of the rules that it proves, at least one. */
  readonly rules: readonly [string, ...string[]]
  /** Words to select by, besides the topic: `race`, `slow`, `security`, `limit` … */
  readonly tags?: readonly string[]
  /** Parts of the configuration without which it is not testable, see the target's own list. */
  readonly needs?: readonly Need[]
  /**
   * What it shares with nobody while it runs. `all`: the whole system (a restart, a moved clock, paused admission);
   * such checks have an instance of it for themselves, or run one by one after all others. Another name: checks with
   * the same name run one after the other.
   */
  readonly alone?: string
  run(context: Context): Promise<void>
}

/** Thrown by a check that finds out while it runs that this system cannot be examined; never a pass. */
export class UntestableError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UntestableError'
  }
}
