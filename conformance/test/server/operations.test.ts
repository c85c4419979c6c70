import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseOperationList } from '../../src/rule-coverage/operation-coverage.ts'
import { runSuite } from '../../src/runner/run-suite.ts'
import { ALL_ROUTES, findRoute } from '../../src/targets/server/operations.ts'

const LIST = parseOperationList(readFileSync(join(import.meta.dirname, '../../operations.yaml'), 'utf8'))
const START_LINE = /^([A-Z]+) (\S+)/

it('the checks that operations.yaml names ask for their operations', async () => {
  const report = await runSuite({
    target: 'server',
    config: 'reference',
    profile: 'reference',
    checks: [...new Set(Object.values(LIST.checks))],
    keepTranscripts: true,
  })
  expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([])
  const asked = new Map(
    report.checks.map(({ id, transcript }) => [
      id,
      new Set(
        transcript.flatMap(({ direction, text }) => {
          const [, method = '', path = ''] = (direction === 'out' && START_LINE.exec(text)) || []
          return findRoute(ALL_ROUTES, { method, path })?.operation.operationId ?? []
        }),
      ),
    ]),
  )
  const unasked = Object.entries(LIST.checks).filter(([operation, check]) => !asked.get(check)?.has(operation))
  expect(unasked).toEqual([])
})
