import { expect, it } from 'vitest'
import { findStale } from './find-stale.ts'

it('lists exactly the files that are missing, changed or left over', () => {
  const wanted = new Map([
    ['same.ts', '1'],
    ['changed.ts', '1'],
    ['missing.ts', '1'],
  ])
  const present = new Map([
    ['same.ts', '1'],
    ['changed.ts', '2'],
    ['left-over.ts', '1'],
  ])
  expect(findStale(wanted, present)).toEqual(['changed.ts', 'left-over.ts', 'missing.ts'])
  expect(findStale(wanted, wanted)).toEqual([])
})
