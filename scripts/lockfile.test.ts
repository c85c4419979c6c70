import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import installer from './pnpm/package-lock.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const lines = readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8').split('\n')
const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'))

describe('the lockfile', () => {
  it('has the hash of every package', () => {
    const resolutions = lines.filter((line) => line.startsWith('    resolution:'))
    expect(resolutions.length).toBeGreaterThan(500)
    expect(resolutions.filter((line) => !/\{integrity: sha512-[A-Za-z0-9+/]{86}==/.test(line))).toEqual([])
  })

  it('has the hash of the pinned Node of each platform, which only that platform installs', () => {
    expect(nodes.length).toBeGreaterThan(0)
    for (const [name, version] of nodes) {
      const start = lines.indexOf(`  ${name}@${version}:`)
      const [platform = '', arch = ''] = name.split('-').slice(1)
      expect(lines.slice(start + 1, start + 4)).toEqual([
        expect.stringContaining('integrity: sha512-'),
        `    cpu: [${arch}]`,
        `    os: [${platform === 'win' ? 'win32' : platform}]`,
      ])
    }
  })

  it.skipIf(!nodes.some(([name]) => name === `node-${process.platform}-${process.arch}`))(
    `pins the Node that is installed in this workspace (needs a build for ${process.platform}-${process.arch})`,
    () => {
      const program = realpathSync(join(ROOT, 'node_modules/.bin/node'))
      const [name, version] = nodes.find(([each]) => each === `node-${process.platform}-${process.arch}`) ?? []
      expect(program).toContain(join('node_modules', '.pnpm', `${name}@${version}`))
    },
  )

  it('of pnpm’s own installation has the hash of every package', () => {
    const packages = Object.entries(installer.packages).filter(([path]) => path !== '')
    expect(packages.length).toBeGreaterThan(0)
    for (const [path, entry] of packages)
      expect([path, 'integrity' in entry && entry.integrity.startsWith('sha512-')]).toEqual([path, true])
  })
})
