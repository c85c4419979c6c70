import { isAbsolute, posix, relative, sep } from 'node:path'
import { REPOSITORY } from './folders.ts'

/**
 * Handwritten texts link to files of the repository, so that the links work on GitHub. The site shows some of these
 * files as generated pages, at these paths.
 */
const PAGES: Readonly<Record<string, string>> = {
  'CHANGELOG.md': '/changelog',
  'SECURITY.md': '/security',
  'docs/decisions.md': '/decisions',
  'docs/src/pages/protocol-parts.ts': '/protocol/',
  'openapi/admin.yaml': '/reference/admin/',
  'openapi/components/errors.yaml': '/errors',
  'openapi/components/limits.yaml': '/reference/limits',
  'openapi/gateway.yaml': '/reference/http/',
  'openapi/generated/worker.json': '/worker-openapi.json',
  'openapi/rules.yaml': '/rules/',
  'openapi/src/behaviour/run-state.ts': '/state-machines',
  'openapi/worker.yaml': '/reference/worker/',
  'sdk/README.md': '/reference/sdk/',
  'sdk/src/testing/index.ts': '/reference/sdk/testing/',
  'server/src/app/settings/settings.ts': '/reference/settings',
}

/** The Markdown of a file, with links to files replaced by links to the pages that show them. */
export const toSiteLinks = (text: string, file: string): string => {
  const folder = posix.dirname((isAbsolute(file) ? relative(REPOSITORY, file) : file).replaceAll(sep, '/'))
  return text.replaceAll(LINK, (link, path: string, anchor: string) => {
    const address = addressOf(posix.join(folder, path), anchor)
    return address === undefined ? link : `](${address})`
  })
}

const LINK = /\]\((?![a-z]+:|[/#])([^)\s#]+)(#[^)\s]+)?\)/g

const addressOf = (target: string, anchor = ''): string | undefined => {
  if (target.startsWith(PUBLIC)) return `/${target.slice(PUBLIC.length)}`
  // `addExamples` in site-files.ts copies the examples there.
  if (target.startsWith('examples/')) return `/${target}.txt`
  const page = PAGES[target]
  // Each topic of the rules has its own page.
  return page === '/rules/' ? `${page}${anchor.slice(1).toLowerCase()}` : page && `${page}${anchor}`
}

/** Files in this folder are served at the root of the site. */
const PUBLIC = 'docs/public/'
