/** What a check examines: a gateway, a client of gateways, a receiver of callbacks, or a worker of a device. */
export type Target = 'server' | 'client' | 'receiver' | 'worker'

/**
 * The default profile of a target. Workers have no `core`, because every rule for them is a decision of this project.
 */
export const defaultProfile = (target: Target): 'core' | 'reference' => (target === 'worker' ? 'reference' : 'core')

/**
 * Examines one behaviour. It passes by returning and fails by throwing; the error's message states what was expected
 * and what arrived.
 *
 * A check cites the rules that it proves. They agree in target, profile and level, so that the check has one of each.
 * A check of the profile `core` must not rely on anything that the specification leaves open.
 */
export interface Check<Context, Need extends string = string> {
  /** Stable and unique: topic and behaviour, `idem/replay-answers-the-same`. Baselines and `--check` refer to it. */
  readonly id: string
  /** A sentence that states the behaviour: `a replay returns the first answer, byte for byte`. */
  readonly title: string
  /** IDs of the rules that it proves, at least one. */
  readonly rules: readonly [string, ...string[]]
  /** Tags to select checks by, besides the topic: `race`, `slow`, `security`, `limit` … */
  readonly tags?: readonly string[]
  /**
   * Parts of the configuration that it needs. If one is missing, the check is not testable. Each target has its own
   * list.
   */
  readonly needs?: readonly Need[]
  /**
   * What it needs exclusively while it runs. `all`: the whole system (a restart, a moved clock, paused admission). Such
   * a check gets its own instance of the system, or runs after all others, one at a time. Another name: checks with the
   * same name run one after the other.
   */
  readonly alone?: string
  run(context: Context): Promise<void>
}

/** Thrown by a check that cannot examine this system. The check is never reported as passed. */
export class UntestableError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UntestableError'
  }
}
