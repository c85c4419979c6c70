import type { ScanLimits } from './scan-json.ts'
import type { ScannedJson } from './scanned-json.ts'

/**
 * The limits of an API body. The one for values and members bounds the cost of a body (D-61). The one for levels is
 * above every limit of the contract and far below the depth that exhausts the stack of a recursive function.
 */
export const BODY_LIMITS: ScanLimits = { nodes: 50_000, depth: 256 }

/**
 * The limits of a webhook's body outside the mapped values (D-56): more values and members than the bytes of a body
 * allow, and more levels than `BODY_LIMITS`.
 */
export const WEBHOOK_LIMITS: ScanLimits = { nodes: 1024 * 1024, depth: 1000 }

export const TOO_MANY_NODES = `has more than ${BODY_LIMITS.nodes} values and members`

/** Texts above this size are processed in separate turns of the event loop. */
const LARGE_BYTES = 64 * 1024

export const isLarge = ({ bytes }: ScannedJson): boolean => bytes.length > LARGE_BYTES

/** Whether to report all faults of an invalid body, or only the first. */
export type FaultSearch = 'all' | 'first'

/** Up to these limits all faults of a body are reported; beyond them only the first, which is cheaper to find. */
const THOROUGH_NODES = 1000
const THOROUGH_BYTES = 16 * 1024

export const faultSearchOf = ({ nodes, bytes }: ScannedJson): FaultSearch =>
  nodes <= THOROUGH_NODES && bytes.length <= THOROUGH_BYTES ? 'all' : 'first'
