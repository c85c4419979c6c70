import type { Target } from '../src/kit/check.ts'

/**
 * A program with one fault: a replacement in one source file of the workspace, so that little more than one rule is
 * violated.
 */
export interface Mutant {
  /** Unique among the mutants of its target, in kebab-case. */
  readonly name: string
  /** The rule that it violates. A check that cites this rule has to fail. */
  readonly rule: string
  /** Further rules that the same fault violates. A check of each of them has to fail, too. */
  readonly also?: readonly string[]
  /** The wrong behaviour, in one sentence. */
  readonly fault: string
  /** The patched source, from the workspace's root: `sdk/src/signature/verify.ts`. */
  readonly file: string
  /** Must occur exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The database that a gateway needs for its fault to show. Default: PostgreSQL. */
  readonly database?: 'embedded'
}

/** A row of `table.json`: a mutant, and the checks that failed for it. */
export interface MutantRow extends Pick<Mutant, 'name' | 'rule' | 'also' | 'fault'> {
  readonly target: Target
  readonly caughtBy: readonly string[]
}

/** All rules that it violates. */
export const rulesOf = ({ rule, also = [] }: Pick<Mutant, 'rule' | 'also'>): readonly string[] => [rule, ...also]

/** Names the environment variable that gives a process its fault: a {@link Mutant} as JSON. */
export const MUTANT_VARIABLE = 'CONFORMANCE_MUTANT'

/** Additional environment variables of a process that runs with `--import` of `patch-source.ts`. */
export const mutantEnvironment = (mutant: Mutant): Readonly<Record<string, string>> => ({
  [MUTANT_VARIABLE]: JSON.stringify(mutant),
})
