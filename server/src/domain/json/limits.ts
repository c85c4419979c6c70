import type { ScanLimits } from './scan-json.ts'
import type { ScannedJson } from './scanned-json.ts'

/**
 * What a body of the API may have: values and members, so that whatever they are it costs little more than its bytes
 * (D-61); and levels, above what the contract allows anywhere, and far below what exhausts the stack of those who walk a
 * value.
 */
export const BODY_LIMITS: ScanLimits = { nodes: 50_000, depth: 256 }

/** What the body of a webhook may have besides what is read of it: whatever its bytes hold, and so many levels (D-56). */
export const WEBHOOK_LIMITS: ScanLimits = { nodes: 1024 * 1024, depth: 1000 }

export const TOO_MANY_NODES = `has more than ${BODY_LIMITS.nodes} values and members`

/** Above this size a text takes its share of a turn of the event loop with each thing that is done with it. */
const LARGE_BYTES = 64 * 1024

export const isLarge = ({ bytes }: ScannedJson): boolean => bytes.length > LARGE_BYTES

/** Whether a body that breaks the contract is looked through for all of its faults, or only for the first. */
export type FaultSearch = 'all' | 'first'

/** What a body may have and still be looked through for all faults, so that as many as fit in it cost little. */
const THOROUGH_NODES = 1000
const THOROUGH_BYTES = 16 * 1024

export const faultSearchOf = ({ nodes, bytes }: ScannedJson): FaultSearch =>
  nodes <= THOROUGH_NODES && bytes.length <= THOROUGH_BYTES ? 'all' : 'first'
