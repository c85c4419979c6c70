import manifest from '../../package.json' with { type: 'json' }

/** The version of this gateway, from `server/package.json` only. */
export const VERSION: string = manifest.version
