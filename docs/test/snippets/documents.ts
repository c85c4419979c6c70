import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Block, readBlocks } from '../../../sdk/test/support/markdown-blocks.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A text written by hand, with its blocks of code. */
export interface Document {
  /** Relative to the repository. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
}

/** Texts outside the site. The client's README has its own test. */
const READMES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/README.md',
  'openapi/README.md',
  'server/README.md',
]

/** Every text whose snippets are run here: the READMEs, and the pages under Start and Guides. */
export const readDocuments = async (): Promise<Document[]> => {
  const pages = await Promise.all(
    ['docs/start', 'docs/guides'].map(async (folder) =>
      (await readdir(join(ROOT, folder))).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`),
    ),
  )
  return Promise.all([...READMES, ...pages.flat().sort()].map(readDocument))
}

const readDocument = async (path: string): Promise<Document> => {
  const text = await readFile(join(ROOT, path), 'utf8')
  try {
    return { path, text, blocks: readBlocks(text) }
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`)
  }
}
