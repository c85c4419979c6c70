import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import bootstrapSchema from '@conversation-gateway/openapi/bootstrap.schema.json' with { type: 'json' }
import { createValidator, schemaAt } from '@conversation-gateway/openapi/validator'
import { expect, it } from 'vitest'
import { readDocuments } from './documents.ts'

const MAIN = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

/** Settings of clients, workers and the conformance suite. */
const OF_OTHERS = ['GATEWAY_BASE_URL', 'GATEWAY_API_KEY', 'GATEWAY_DEVICE_KEY', 'GATEWAY_DIR']

const documents = await readDocuments()
const guideNamed = (name: string) => documents.find(({ path }) => path === `docs/guides/${name}.md`)

/** Runs a gateway program that ends on its own. */
const runMain = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH, ...settings } })

it('the texts name only existing settings', async () => {
  const { stdout } = await runMain(['--help'])
  const known = [...stdout.matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name]) => name)
  expect(known).toContain('DATABASE_URL')
  for (const { path, text } of documents) {
    // The operations guide shows a misspelt one.
    const named = new Set(text.replaceAll('GATEWAY_PROT', '').match(/\b(?:SERVICE_)?GATEWAY_[A-Z_]+\b/g))
    const unknown = [...named].filter((name) => !known.includes(name) && !OF_OTHERS.includes(name))
    expect(unknown, path).toEqual([])
  }
})

it("the operations guide shows the gateway's report of faulty settings", async () => {
  const starting = runMain([], { GATEWAY_PORT: 'http', GATEWAY_PROT: '8787' })
  const { stderr } = await starting.then(
    () => Promise.reject(new Error('it started')),
    (error: { stderr: string }) => error,
  )
  expect(guideNamed('operate-the-gateway')?.text).toContain(`\n${stderr.trim()}\n`)
})

it('the bootstrap file of the guide is valid', () => {
  const file = guideNamed('applications-and-operators')?.blocks.find(({ words }) =>
    words.includes('file=bootstrap.json'),
  )
  const { $defs, $schema: _dialect, ...Bootstrap } = bootstrapSchema
  const schemas = JSON.stringify({ ...$defs, Bootstrap }).replaceAll('"#/$defs/', '"#/components/schemas/')
  const validator = createValidator({ components: { schemas: JSON.parse(schemas) } })
  const validate = validator.compile({ $ref: schemaAt('components', 'schemas', 'Bootstrap') })
  validate(JSON.parse(file?.code ?? 'null'))
  expect(validate.errors).toBeNull()
})
