import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOM = '240m'
const PAGES = Buffer.alloc(64 * 1024)

/** A small separate file system that can be filled. */
export interface SmallDisk {
  readonly folder: string
  /** Fills it to the last page, so that the next write fails. */
  fill(): void
  free(): void
  remove(): void
}

/** Throws without root privileges. */
export const mountSmallDisk = (): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM},mode=755`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (cause) {
    throw new Error('This test mounts a small disk, which requires root.', { cause })
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => {
      try {
        for (;;) appendFileSync(filler, PAGES)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      execFileSync('umount', [folder], { stdio: 'pipe' })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
