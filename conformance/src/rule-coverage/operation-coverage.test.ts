import { expect, it } from 'vitest'
import { faultsOfOperations, parseOperationList } from './operation-coverage.ts'

const CHECKS = new Set(['runs/record'])

it('has nothing against a list that has each operation once', () => {
  const list = parseOperationList('checks: { getRun: runs/record }\nexcluded: { prune: it takes days }')
  expect(faultsOfOperations(list, ['getRun', 'prune'], CHECKS)).toEqual([])
})

it('names operations without a check, checks and operations that do not exist, and reasons that are not needed', () => {
  const list = { checks: { getRun: 'runs/record', gone: 'runs/no-more' }, excluded: { getRun: 'why' } }
  expect(faultsOfOperations(list, ['getRun', 'cancelRun'], CHECKS)).toEqual([
    expect.stringContaining('no check asks for cancelRun'),
    expect.stringContaining('names gone, which no document has'),
    expect.stringContaining('both a check and a reason for getRun'),
    expect.stringContaining('names runs/no-more for gone'),
  ])
})

it('takes nothing but texts', () => {
  expect(() => parseOperationList('checks: { getRun: [] }')).toThrow('operations.yaml, getRun')
})
