import type { Check } from '../check.ts'
import type { ServerContext } from './context.ts'
import type { ServerNeed } from './needs.ts'

/** A check of a server. */
export interface ServerCheck extends Check<ServerContext, ServerNeed> {
  /** How many event streams it has open at most at one time. Default 0. */
  readonly streams?: number
  /** It provokes refusals of too many requests, and looks at them itself; otherwise they are waited out. Default false. */
  readonly meetsRateLimit?: boolean
}
