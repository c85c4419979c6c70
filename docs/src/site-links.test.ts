import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from './folders.ts'
import { toSiteLinks } from './site-links.ts'

const inGuide = (text: string): string => toSiteLinks(text, 'docs/guides/a.md')

it.each([
  ['[errors](../../openapi/components/errors.yaml)', '[errors](/errors)'],
  ['[one of them](../../openapi/components/errors.yaml#BUSY)', '[one of them](/errors#BUSY)'],
  ['[rules](../../openapi/rules.yaml)', '[rules](/rules/)'],
  ['[of callbacks](../../openapi/rules.yaml#CB)', '[of callbacks](/rules/cb)'],
  ['![a run](../public/console/run-light.png)', '![a run](/console/run-light.png)'],
  ['[a worker](../../examples/python-worker/worker.py)', '[a worker](/examples/python-worker/worker.py.txt)'],
  ['[events](../../openapi/gateway.yaml)', '[events](/reference/http/)'],
  ['[reasons](../decisions.md) and [changes](../../CHANGELOG.md)', '[reasons](/decisions) and [changes](/changelog)'],
])('leads to the page that shows a file of the repository: %s', (text, expected) => {
  expect(inGuide(text)).toBe(expected)
})

it.each([
  '[a guide](./b.md#a-heading)',
  '[elsewhere](https://example.com/a.md)',
  '[here](#a)',
  '[x](../../biome.json)',
])('leaves every other link as it is: %s', (text) => {
  expect(inGuide(text)).toBe(text)
})

it('converts links in files of the repository root', () => {
  expect(toSiteLinks('[rules](openapi/rules.yaml)', 'SECURITY.md')).toBe('[rules](/rules/)')
})

it('accepts an absolute path of the text', () => {
  expect(toSiteLinks('[x](../CHANGELOG.md)', join(REPOSITORY, 'docs/README.md'))).toBe('[x](/changelog)')
})
