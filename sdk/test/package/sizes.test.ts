import { beforeAll, expect, it } from 'vitest'
import { PACK_DEADLINE_MS, packSdk } from '../../scripts/packed-sdk.ts'
import { type Bundle, bundle } from './bundle.ts'
import { OPTIONAL_PEERS, SUBPATHS } from './subpaths.ts'

/** Bytes, minified and compressed with gzip. */
const BUDGETS: readonly { readonly what: string; readonly source: string; readonly budgetBytes: number }[] = [
  {
    what: 'the whole client',
    source: "export { createClient } from '@conversation-gateway/sdk'",
    budgetBytes: 24.125 * 1024,
  },
  {
    what: 'the verifier of callbacks',
    source: "export { verifyCallback } from '@conversation-gateway/sdk/callbacks'",
    budgetBytes: 2 * 1024,
  },
]

beforeAll(packSdk, PACK_DEADLINE_MS)

const print = (line: string): boolean => process.stdout.write(`${line}\n`)
const row = (name: string, { minifiedBytes, gzipBytes }: Bundle, rest = ''): string =>
  `${name.padEnd(40)} ${String(minifiedBytes).padStart(8)} B minified ${String(gzipBytes).padStart(7)} B gzip${rest}`

it.each(BUDGETS)('$what is within its budget of $budgetBytes bytes', async ({ what, source, budgetBytes }) => {
  const found = await bundle(source)
  print(row(what, found, ` of ${budgetBytes}`))
  const heaviest = found.modules.slice(0, 15).map(({ path, bytes }) => `${String(bytes).padStart(7)} ${path}`)
  expect(found.gzipBytes, `minified bytes of the heaviest modules:\n${heaviest.join('\n')}`).toBeLessThanOrEqual(
    budgetBytes,
  )
})

it.each(SUBPATHS)('$name is as small as the table says', async ({ name, runs }) => {
  const found = await bundle(`export * from '${name}'`, { external: runs === 'node' ? ['node:*'] : OPTIONAL_PEERS })
  print(row(name, found))
  expect(found.gzipBytes).toBeGreaterThan(0)
})
