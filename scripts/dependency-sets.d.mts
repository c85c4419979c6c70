/** The dependencies of serving with an installed Node, the same with the pinned Node, and those of tests, documentation and tools. */
export type DependencySet = 'serving' | 'serving with Node' | 'everything'

/** From the smallest set to the largest. Each contains the sets before it. */
export declare const BY_SIZE: readonly DependencySet[]

export declare function chooseSet(command: readonly string[], node: 'present' | 'pinned'): DependencySet
export declare function contains(set: DependencySet, other: DependencySet): boolean
export declare function installArguments(set: DependencySet): string[]
