import { gzipSync } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'
import { packSdk } from '../../scripts/packed-sdk.ts'

export interface Bundle {
  readonly minifiedBytes: number
  readonly gzipBytes: number
  /** The size of each module in the minified bundle, the largest first. */
  readonly modules: readonly { readonly path: string; readonly bytes: number }[]
}

/**
 * Bundles a module that imports from the packed copy, dependencies included, for a browser. Rejects if an import cannot
 * be resolved, such as a module of Node.
 */
export const bundle = async (source: string, options: Pick<BuildOptions, 'external'> = {}): Promise<Bundle> => {
  const { projectFolder } = await packSdk()
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: projectFolder },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'silent',
    absWorkingDir: projectFolder,
    ...options,
  })
  const [output] = outputFiles
  const [about] = Object.values(metafile.outputs)
  if (output === undefined || about === undefined) throw new Error('esbuild made no bundle')
  return {
    minifiedBytes: output.contents.length,
    gzipBytes: gzipSync(output.contents, { level: 9 }).length,
    modules: Object.entries(about.inputs)
      .map(([path, { bytesInOutput }]) => ({ path: nameOf(path), bytes: bytesInOutput }))
      .sort((one, other) => other.bytes - one.bytes),
  }
}

/** The path from the name of its package on. */
const nameOf = (path: string): string => path.replace(/^.*node_modules\/(@conversation-gateway\/)?/, '')
