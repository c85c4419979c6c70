import { join } from 'node:path'

/** Where the site's parts are. Everything below `GENERATED` and `DIST` is made, and none of it is committed. */
export const REPOSITORY = join(import.meta.dirname, '../..')
export const DOCS = join(REPOSITORY, 'docs')
/** Markdown and data that the generators write; the site shows them without `generated/` in the address. */
export const GENERATED = join(DOCS, 'generated')
/** The site, as the gateway serves it. */
export const DIST = join(DOCS, 'dist')
/** The console, as the gateway serves it. */
export const CONSOLE_DIST = join(REPOSITORY, 'server/console/dist')
/** The variable by which a build tells the site's configuration where its texts are edited. */
export const EDITED_AT = 'SITE_EDITED_AT'
/** The variable by which a build leaves out most of the references. */
export const BRIEF = 'SITE_BRIEF'
/** Files of a build that is not finished, and the lock of the one that runs. */
export const CACHE = join(DOCS, '.cache')
/** What a build leaves behind when it is ended in the middle. */
export const UNFINISHED = {
  sdkReference: join(CACHE, 'sdk-reference'),
  site: join(CACHE, 'dist'),
  console: join(REPOSITORY, 'server/console/.cache'),
  pages: join(DOCS, '.vitepress/.temp'),
  temporary: join(CACHE, 'temporary'),
} as const
