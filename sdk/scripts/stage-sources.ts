import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

const OPENAPI_FOLDER = resolve(import.meta.dirname, '../../openapi')

/** A generated file that only re-exports the contract's own. */
const RE_EXPORT = /^(?:\/\/.*\n|\s)*export (?:type )?\* from '((?:\.\.\/)+openapi\/[^']+)'\s*$/

const RELATIVE_IMPORT = /(?<=from )'(\.[^']+)'/g

const NOT_PUBLISHED = /\.md$|\.test(-d)?\.ts$/

/**
 * Copies the published sources into a folder where they do not depend on the workspace. Modules of the contract's
 * package that they import are copied too, and the imports then name the copies.
 */
export const stageSources = async (sourceFolder: string, folder: string): Promise<void> => {
  await cp(sourceFolder, folder, { recursive: true, filter: (path) => !NOT_PUBLISHED.test(path) })
  const shared = new Set<string>()
  for await (const path of glob('**/*.ts', { cwd: folder })) {
    const file = join(sourceFolder, path)
    const text = await readFile(file, 'utf8')
    const original = RE_EXPORT.exec(text)?.[1]
    const content = original
      ? await readFile(resolve(dirname(file), original), 'utf8')
      : inline(file, path, text, shared)
    await writeFile(join(folder, path), content)
  }
  // The set grows while the copies are read.
  for (const file of shared) {
    const path = placeOf(file)
    const content = inline(file, path, await readFile(file, 'utf8'), shared)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

/** The path of a module of the contract's package in the staged sources. The client uses the open generated types. */
const placeOf = (file: string): string =>
  relative(OPENAPI_FOLDER, file)
    .replaceAll(sep, '/')
    .replace(/^src\/(behaviour|document)\//, 'behaviour/')
    .replace(/^(generated\/.+?)-closed\.ts$/, '$1.ts')

/** The text of a module at its staged path. Adds the modules that must be copied for it to `shared`. */
const inline = (file: string, path: string, text: string, shared: Set<string>): string =>
  text.replaceAll(RELATIVE_IMPORT, (statement, specifier: string) => {
    const imported = resolve(dirname(file), specifier)
    if (!imported.startsWith(OPENAPI_FOLDER + sep)) return statement
    const place = placeOf(imported)
    // The client has generated files of its own.
    if (!place.startsWith('generated/')) shared.add(imported)
    const to = relative(dirname(path), place).replaceAll(sep, '/')
    return `'${to.startsWith('.') ? to : `./${to}`}'`
  })
