import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { listAllChecks } from '../src/list-all-checks.ts'
import { verifyReport } from '../src/report/verify.ts'
import { listResults, readSubmissions } from '../src/results/list-results.ts'

const FOLDER = fileURLToPath(new URL('../results/', import.meta.url))
const submissions = await readSubmissions(FOLDER)
const validate = new Ajv2020({ allErrors: true }).compile(
  JSON.parse(await readFile(`${FOLDER}submission.schema.json`, 'utf8')),
)
const catalogue = await listAllChecks()

describe.each(submissions)('the result $file', ({ submission }) => {
  it('has the form of a submission', () => {
    validate(submission)
    expect(validate.errors ?? []).toEqual([])
  })

  it('has the verdict and the hashes that its checks amount to', () => {
    const { report } = submission
    const { suiteSha256, contractSha256 } = report
    expect(verifyReport(report, { catalogue, suiteSha256, contractSha256 }).faults).toEqual([])
  })
})

it('lists every result once, the newest of an implementation first', async () => {
  const results = await listResults(FOLDER)
  expect(results.map(({ file }) => file).toSorted()).toEqual(submissions.map(({ file }) => file).toSorted())
  expect(results.length).toBeGreaterThan(0)
})
