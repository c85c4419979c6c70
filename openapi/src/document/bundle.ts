import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runRedocly } from '../redocly.ts'
import type { Document } from './document.ts'

/**
 * Reads an OpenAPI document and everything it refers to as one document whose references are all local; components are
 * sorted by name, so that the result does not depend on the order of use.
 */
export const bundleDocument = (file: string): Promise<Document> =>
  inTemporaryFolder(async (folder) => {
    const output = join(folder, 'bundle.json')
    const bundling = await runRedocly('bundle', file, '--output', output)
    if (!bundling.ok) throw new Error(`${file} cannot be bundled:\n${bundling.output}`)
    const document: Document = JSON.parse(await readFile(output, 'utf8'))
    return { ...document, components: sortComponents(document.components) }
  })

/** Reads one named schema of a file, and everything it refers to, as a document that has nothing but schemas. */
export const bundleSchema = (file: string, name: string): Promise<Document> =>
  inTemporaryFolder(async (folder) => {
    const wrapper = join(folder, 'wrapper.json')
    const components = { schemas: { [name]: { $ref: `${file}#/${name}` } } }
    const info = { title: name, version: '1' }
    await writeFile(wrapper, JSON.stringify({ openapi: '3.1.0', info, paths: {}, components }))
    return bundleDocument(wrapper)
  })

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function sortComponents(components: Document['components']): Document['components'] {
  const sorted = Object.entries(components).map(([kind, members]) => [
    kind,
    kind === 'x-errors' || kind === 'x-limits' ? members : Object.fromEntries(Object.entries(members).sort(byName)),
  ])
  return Object.fromEntries(sorted)
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)
