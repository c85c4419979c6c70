import manifest from '../../package.json' with { type: 'json' }

/** The version of this gateway, as `server/package.json` has it: no other place says it. */
export const VERSION: string = manifest.version
