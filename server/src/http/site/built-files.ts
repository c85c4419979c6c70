import type { FastifyStaticOptions } from '@fastify/static'

/** Names of the files in this folder change with their content. */
const HASHED = '/assets/'
const FOREVER = 'public, max-age=31536000, immutable'

/** Options of the file server for the folder of a build. */
export const builtFiles = (folder: string): FastifyStaticOptions => ({
  root: folder,
  // The folder may be created later.
  suppressWarning: true,
  dotfiles: 'ignore',
  cacheControl: false,
  // The build writes compressed copies beside each text file.
  preCompressed: true,
  setHeaders: (reply, path) => {
    reply.header('cache-control', path.includes(HASHED) ? FOREVER : 'no-cache')
  },
})
