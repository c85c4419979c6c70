import type { DependencySet } from './dependency-sets.mjs'

export interface Installation {
  readonly set: DependencySet
  /** Of the files that say what to install; `unfinished` after an interruption. */
  readonly hash: string
}

export declare function readStamp(root: string): Installation | undefined
export declare function writeStamp(root: string, installation: Installation): void
