import { createHash, hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import gateway from '#openapi/gateway.json' with { type: 'json' }
import manifest from '#package.json' with { type: 'json' }

/** The version of this suite. */
export const SUITE_VERSION: string = manifest.version

/** SHA-256 of the suite's contract, so that two reports can be compared. */
export const CONTRACT_SHA256: string = hash('sha256', JSON.stringify(gateway))

/** SHA-256 of the suite's own program: names and contents of its files, without tests and declarations. */
export async function hashSuite(folder: string = join(import.meta.dirname, '..')): Promise<string> {
  const files = (await readdir(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.(ts|js|mjs|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  const suite = createHash('sha256')
  for (const file of files)
    suite
      .update(`${relative(folder, file)}\0`)
      .update(await readFile(file))
      .update('\0')
  return suite.digest('hex')
}
