import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The output folder of a build, which does not exist before `write`; removed after the current test. */
export const createBuildFolder = async () => {
  const parent = await mkdtemp(join(tmpdir(), 'build-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const path = join(parent, 'dist')
  return {
    path,
    write: async (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(path, name)), { recursive: true })
        await writeFile(join(path, name), content)
      }
    },
  }
}
