import { createHash } from 'node:crypto'
import gateway from '#openapi/gateway.json' with { type: 'json' }
import manifest from '#package.json' with { type: 'json' }

/** The version of this suite. */
export const SUITE_VERSION: string = manifest.version

/** SHA-256 of the contract that the suite was made for, so that two reports can be compared. */
export const CONTRACT_SHA256: string = createHash('sha256').update(JSON.stringify(gateway)).digest('hex')
