import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { refuseNode } from '../src/node-version.ts'

const { engines }: { engines: { node: string } } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

it.each(['22.18.0', '22.21.1', '24.0.0', '25.1.0'])('runs with Node.js %s', (version) => {
  expect(refuseNode(version)).toBeUndefined()
})

it.each(['18.20.8', '20.20.2', '22.17.1'])('refuses Node.js %s and names the required version', (version) => {
  expect(refuseNode(version)).toMatch(new RegExp(`needs Node\\.js 22\\.18 or later, and this is ${version}\\.`))
})

it('the package declares the required version', () => {
  expect(engines.node).toBe('>=22.18')
})
