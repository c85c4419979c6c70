/** The dependencies of serving with an installed Node, the same with the pinned Node, and those of tests, documentation and tools. */
export type DependencySet = 'serving' | 'serving with Node' | 'everything'

/** Each contains those before it. */
export declare const BY_SIZE: readonly DependencySet[]

export declare function chooseSet(command: readonly string[], node: 'present' | 'pinned'): DependencySet
export declare function contains(set: DependencySet, other: DependencySet): boolean
export declare function installArguments(set: DependencySet): string[]
