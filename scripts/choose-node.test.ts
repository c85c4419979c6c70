import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { chooseNode } from './choose-node.mjs'

const pinned = Object.keys(manifest.optionalDependencies)

it.each([
  ['22.18.0', 'darwin', 'arm64', 'present'],
  ['22.18.0', 'linux', 'x64', 'present'],
  ['26.1.0', 'darwin', 'x64', 'present'],
  ['22.17.9', 'linux', 'x64', 'pinned'],
  ['20.19.0', 'linux', 'arm64', 'pinned'],
  ['20.19.0', 'win32', 'x64', 'pinned'],
  ['22.17.9', 'darwin', 'arm64', 'none'],
  ['20.19.0', 'darwin', 'x64', 'none'],
  ['20.19.0', 'linux', 'ppc64', 'none'],
] as const)('the choice with Node %s on %s-%s is: %s', (version, platform, arch, kind) => {
  expect(chooseNode({ version, platform, arch, pinned }).kind).toBe(kind)
})
