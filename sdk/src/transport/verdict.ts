import { CODE_VERDICTS, type CodeVerdict } from '../generated/errors.ts'

/**
 * What an attempt that brought no success says about the intention:
 * `none`: this attempt had no effect; `none-ever`: no attempt under the key had one or can have one any more;
 * `unknown`: it may have taken effect.
 */
export type Effect = 'none' | 'none-ever' | 'unknown'

export interface Verdict {
  /** Whether the same request may succeed later without any change. */
  readonly isPassing: boolean
  readonly effect: Effect
}

/** No complete answer came: the request may or may not have arrived. */
export const NO_ANSWER: Verdict = { isPassing: true, effect: 'unknown' }

/**
 * Decides about an error answer: by its status, which may be a proxy's, and by its code where that says more.
 * @param outcome What the problem says of the outcome: `unknown` where the gateway itself does not know it (D-57).
 */
export function judge(status: number, code: string | null, outcome: string | undefined): Verdict {
  const named: CodeVerdict | undefined = CODE_VERDICTS[code ?? '']
  const said = named?.status === status ? named : undefined
  const isServers = status >= 500
  return {
    isPassing: said?.isPassing ?? ([408, 425, 429].includes(status) || (isServers && status !== 501 && status !== 505)),
    effect: outcome === 'unknown' ? 'unknown' : (said?.effect ?? (isServers || status === 408 ? 'unknown' : 'none')),
  }
}
