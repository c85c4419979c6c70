import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withCapacityFigures } from './capacity-figures.ts'
import { DOCS } from './folders.ts'

it('the guide to capacity has the figures of docs/capacity.json; docs/src/write-capacity-figures.ts writes them', async () => {
  const guide = await readFile(join(DOCS, 'guides/capacity.md'), 'utf8')
  expect(guide).toMatch(/^## Figures\n\nMeasured on .*\n\n\| What \| Per second /m)
  expect(guide).toBe(withCapacityFigures(guide))
})
