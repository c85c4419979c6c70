import { join } from 'node:path'

/** The folders of the site. Files below `GENERATED` and `DIST` are generated and not committed. */
export const REPOSITORY = join(import.meta.dirname, '../..')
export const DOCS = join(REPOSITORY, 'docs')
/** Markdown and data that the generators write; the site shows them without `generated/` in the address. */
export const GENERATED = join(DOCS, 'generated')
/** The site, as the gateway serves it. */
export const DIST = join(DOCS, 'dist')
/** The console, as the gateway serves it. */
export const CONSOLE_DIST = join(REPOSITORY, 'server/console/dist')
/** The environment variable that passes `--edit` to the configuration of the site. */
export const EDITED_AT = 'SITE_EDITED_AT'
/** The environment variable that passes `--brief` to the configuration of the site. */
export const BRIEF = 'SITE_BRIEF'
/** Files of unfinished builds, and the lock of the running one. */
export const CACHE = join(DOCS, '.cache')
/** Files that an interrupted build leaves behind. */
export const UNFINISHED = {
  sdkReference: join(CACHE, 'sdk-reference'),
  site: join(CACHE, 'dist'),
  console: join(REPOSITORY, 'server/console/.cache'),
  pages: join(DOCS, '.vitepress/.temp'),
  temporary: join(CACHE, 'temporary'),
} as const
