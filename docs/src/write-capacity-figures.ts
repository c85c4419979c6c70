import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withCapacityFigures } from './capacity-figures.ts'
import { DOCS } from './folders.ts'

/** Writes the figures of docs/capacity.json into the guide. `npm run bench -- capacity` runs it. */

const GUIDE = join(DOCS, 'guides/capacity.md')
await writeFile(GUIDE, withCapacityFigures(await readFile(GUIDE, 'utf8')))
