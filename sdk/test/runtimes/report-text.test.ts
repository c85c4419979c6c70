import { expect, it } from 'vitest'
import { formatReport } from './report-text.ts'

const NAMES = ['reads', 'writes']

it('counts every case of every runtime, and shows them in a table', () => {
  const results = [
    { name: 'reads', error: null },
    { name: 'writes', error: null },
  ]
  const report = formatReport([{ runtime: 'bun', results, fault: null }], NAMES)
  expect(report).toEqual({ table: 'case    bun\nreads   ok \nwrites  ok ', failures: [], passed: 2, failed: 0 })
})

it('counts a case that failed or did not run as a failure', () => {
  const results = [{ name: 'reads', error: 'Error: not so' }]
  const { failures, passed, failed } = formatReport([{ runtime: 'deno', results, fault: 'it ended' }], NAMES)
  expect({ passed, failed }).toEqual({ passed: 0, failed: 2 })
  expect(failures).toEqual(['deno: it ended', 'deno, reads: Error: not so', 'deno, writes: was not run'])
})

it('counts an unavailable runtime as a failure of all its cases', () => {
  expect(formatReport([{ runtime: 'workerd', results: [], fault: 'missing' }], NAMES)).toMatchObject({ failed: 2 })
})
