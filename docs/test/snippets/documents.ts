import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, readBlocks } from '../../../sdk/test/support/markdown-blocks.ts'
import { REPOSITORY } from '../../src/folders.ts'
import { textsIn } from '../../src/guide-groups.ts'

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
export const readDocuments = (): Promise<Document[]> => {
  const pages = ['start', 'guides'].flatMap((folder) => textsIn(folder).map((name) => `docs/${folder}/${name}.md`))
  return Promise.all([...READMES, ...pages.sort()].map(readDocument))
}

/** One text. @throws {Error} if it does not exist, or if a block of code is malformed. */
export const readDocument = async (path: string): Promise<Document> => {
  const text = await readFile(join(REPOSITORY, path), 'utf8')
  try {
    return { path, text, blocks: readBlocks(text) }
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`)
  }
}
