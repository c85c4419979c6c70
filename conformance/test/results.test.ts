import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faultsOfRecord, type ResultRecord } from '../src/report/record.ts'

const FOLDER = join(import.meta.dirname, '../results')
const files = (await readdir(FOLDER, { recursive: true })).filter((file) => file.endsWith('.json'))

it.each(files)('the result %s agrees with its counts and its requirement set', async (file) => {
  const record: ResultRecord = JSON.parse(await readFile(join(FOLDER, file), 'utf8'))
  expect(faultsOfRecord(record)).toEqual([])
})
