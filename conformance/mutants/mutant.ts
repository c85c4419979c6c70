/** A program with one fault: a replacement in one source file of the workspace, so that exactly one rule is violated. */
export interface Mutant {
  /** Unique among the mutants of its target, in kebab-case. */
  readonly name: string
  /** The rule that it violates. A check that cites this rule has to fail. */
  readonly rule: string
  /** What it does wrong, in a sentence. */
  readonly fault: string
  /** The patched source, from the workspace's root: `sdk/src/signature/verify.ts`. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** Names the environment variable that gives a process its fault: a {@link Mutant} as JSON. */
export const MUTANT_VARIABLE = 'CONFORMANCE_MUTANT'

/** What is added to the environment of a process that runs with `--import` of `patch-source.ts`. */
export const mutantEnvironment = (mutant: Mutant): Readonly<Record<string, string>> => ({
  [MUTANT_VARIABLE]: JSON.stringify(mutant),
})
