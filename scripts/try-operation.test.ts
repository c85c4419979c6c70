import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('CONTRIBUTING.md names every file that a new operation asks for, and no others', { timeout: 600_000 }, () => {
  const { stderr, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'try-operation.ts')], {
    encoding: 'utf8',
  })
  expect([stderr, status]).toEqual(['', 0])
})
