/** How long and how often the rows measure. */
export interface Effort {
  readonly rounds: number
  readonly measureMs: number
  /** Runs of the other tenant in one round. */
  readonly runs: number
  /** Bodies whose cost is measured one by one. */
  readonly bodies: number
  readonly failovers: number
}

export const FULL: Effort = { rounds: 5, measureMs: 3000, runs: 100, bodies: 100_000, failovers: 3 }
export const QUICK: Effort = { rounds: 1, measureMs: 500, runs: 10, bodies: 200, failovers: 1 }
