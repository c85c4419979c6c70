import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LaunchedProcess } from '../../kit/config/driver.ts'
import { type GatewayProcess, launchGateway } from './gateway-process.ts'

/** Starts gateways for checks of the process itself, each in an empty folder that is removed at the end. */
export interface Launcher {
  launch(settings: Readonly<Record<string, string>>): Promise<LaunchedProcess>
  /** Ends the processes that still run, and removes the folders. */
  close(): Promise<void>
}

const FILE_PREFIX = 'file:'

/** @param environment Environment of every process, in addition to the settings of the check. */
export function createLauncher(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): Launcher {
  const folders: string[] = []
  const running = new Set<GatewayProcess>()

  const launchIn = async (folder: string, settings: Readonly<Record<string, string>>): Promise<LaunchedProcess> => {
    const process_ = await launchGateway({
      command,
      cwd: folder,
      environment: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        GATEWAY_PORT: '0',
        ...environment,
        ...(await writeFiles(folder, settings)),
      },
    })
    running.add(process_)
    return {
      baseUrl: process_.baseUrl,
      output: process_.output,
      log: process_.log,
      files: () => readdir(folder),
      end: async (signal) => {
        const code = await process_.end(signal)
        running.delete(process_)
        return code
      },
      again: (next) => launchIn(folder, next),
    }
  }
  return {
    launch: async (settings) => {
      const folder = await mkdtemp(join(tmpdir(), 'gateway-launch-'))
      folders.push(folder)
      return launchIn(folder, settings)
    },
    close: async () => {
      await Promise.all([...running].map((one) => one.end('SIGKILL')))
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

/**
 * Writes the content of each `file:` setting to a file in this folder, and returns the settings with the files' paths.
 */
async function writeFiles(folder: string, settings: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const entries = await Promise.all(
    Object.entries(settings).map(async ([name, value]) => {
      if (!value.startsWith(FILE_PREFIX)) return [name, value] as const
      const file = join(folder, `${name.toLowerCase()}.txt`)
      await writeFile(file, value.slice(FILE_PREFIX.length))
      return [name, file] as const
    }),
  )
  return Object.fromEntries(entries)
}
