import type { DependencySet } from './dependency-sets.mjs'

export interface Installation {
  readonly set: DependencySet
  /** The hash of the files that define the dependencies; `unfinished` while another lockfile is being installed. */
  readonly hash: string
}

export declare function readStamp(root: string): Installation | undefined
export declare function writeStamp(root: string, installation: Installation): void
