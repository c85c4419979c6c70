import { expect, it } from 'vitest'
import { createPackedManifest } from '../../scripts/packed-manifest.ts'

it('replaces workspace values with the published ones, and omits members that only the workspace uses', () => {
  const manifest = {
    name: 'a-package',
    private: true,
    exports: { '.': './src/index.ts' },
    publishConfig: { exports: { '.': './dist/index.js' } },
    scripts: { build: 'node build.ts' },
    dependencies: { one: '1.0.0' },
    devDependencies: { two: 'workspace:*' },
  }
  expect(createPackedManifest(manifest)).toEqual({
    name: 'a-package',
    exports: { '.': './dist/index.js' },
    dependencies: { one: '1.0.0' },
  })
})
