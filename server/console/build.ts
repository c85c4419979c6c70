import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

/** The folder from which the gateway serves the console. */
const DIST = join(import.meta.dirname, 'dist')
/** Used only by this process, so that several processes may build at once. */
const UNFINISHED = join(import.meta.dirname, '.cache', String(process.pid))

/** Builds the console, and replaces the previous build. */
export const buildConsole = async (): Promise<void> => {
  const draft = join(UNFINISHED, 'dist')
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: '/console/',
    cacheDir: join(UNFINISHED, 'vite'),
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: draft,
      emptyOutDir: true,
      // Inlined `data:` URLs would need a wider Content-Security-Policy than files of the same origin.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Turned off, because on a busy machine every plugin would be reported as slow.
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
  await compressFiles(draft)
  await putInPlace(draft)
  await rm(UNFINISHED, { recursive: true, force: true })
}

const putInPlace = async (draft: string): Promise<void> => {
  await rename(DIST, join(UNFINISHED, 'old')).catch(() => {})
  await rename(draft, DIST).catch((error: unknown) => {
    // Another process has just placed its own build of the same sources there.
    if (!existsSync(DIST)) throw error
  })
}

const COMPRESSED = new Set(['.js', '.css', '.html', '.svg'])

/** Compresses each file once, so that the gateway does not have to compress it for every answer. */
const compressFiles = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder, { recursive: true }))
    if (COMPRESSED.has(extname(name))) {
      const path = join(folder, name)
      await writeFile(`${path}.br`, brotliCompressSync(await readFile(path)))
    }
}

if (import.meta.main) await buildConsole()
