import { expect, it } from 'vitest'
import { createPackedManifest } from '../../scripts/packed-manifest.ts'

it('puts what is published in the place of what the workspace uses, and leaves out what is for the workspace alone', () => {
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
