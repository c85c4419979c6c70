import { gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { packSdk } from '../../scripts/packed-sdk.ts'

export interface Bundle {
  /** What is loaded with the module; what it imports when it is called is apart. */
  readonly minifiedBytes: number
  readonly gzipBytes: number
  /** With everything that it may import later. */
  readonly wholeGzipBytes: number
  /** What each module adds to the minified bundle, the heaviest first. */
  readonly modules: readonly { readonly path: string; readonly bytes: number }[]
}

/** Bundles a module that imports from the packed copy, dependencies included, as a browser would get it. Rejects when something cannot run there. */
export const bundle = async (source: string, options: Pick<BuildOptions, 'external'> = {}): Promise<Bundle> => {
  const { projectFolder } = await packSdk()
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: projectFolder },
    bundle: true,
    splitting: true,
    outdir: 'out',
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
  const { outputs } = metafile
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>')
  if (entry === undefined) throw new Error('esbuild made no bundle')
  const loaded = loadedWith(entry, outputs)
  const contentsOf = (paths: readonly string[]): Buffer =>
    Buffer.concat(
      outputFiles.filter(({ path }) => paths.some((each) => path.endsWith(`/${each}`))).map(({ contents }) => contents),
    )
  return {
    minifiedBytes: contentsOf(loaded).length,
    gzipBytes: gzipSync(contentsOf(loaded), { level: 9 }).length,
    wholeGzipBytes: gzipSync(contentsOf(Object.keys(outputs)), { level: 9 }).length,
    modules: loaded
      .flatMap((path) => Object.entries(outputs[path]?.inputs ?? {}))
      .map(([path, { bytesInOutput }]) => ({ path: nameOf(path), bytes: bytesInOutput }))
      .sort((one, other) => other.bytes - one.bytes),
  }
}

/** The files that are loaded when the entry is: those of its imports that are not made by a call. */
const loadedWith = (entry: string, outputs: Metafile['outputs']): string[] => {
  const loaded = new Set([entry])
  for (const path of loaded)
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !external) loaded.add(imported)
  return [...loaded]
}

/** The path inside its package. */
const nameOf = (path: string): string => path.replace(/^.*node_modules\/(@conversation-gateway\/)?/, '')
