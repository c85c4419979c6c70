import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Assistant } from '../../assistants/assistant.ts'
import { readOutcome, readStep } from '../../assistants/steps.ts'
import { isOwnVariable } from '../../domain/own-variables.ts'
import { RunFailure } from '../drive-assistant.ts'
import type { ModuleProcess, ModuleProcessOptions } from './module-process.ts'
import { createModuleProcess } from './module-process.ts'

export interface ModuleHostOptions extends Omit<ModuleProcessOptions, 'file' | 'onUnusable' | 'onGone'> {
  /** The folder for relative paths. */
  readonly directory: string
  /** Whether a module is reloaded for new runs after its file has changed. */
  readonly reloads: boolean
}

/**
 * Executes operators' modules, each in its own process (D-68): one that blocks, leaks or crashes affects only its own
 * runs. A process starts with the first run of its module. After its end, the next run starts another one.
 */
export interface ModuleHost {
  /**
   * The assistant that a module exports as `default` or `assistant`; `path` is absolute or relative to the directory.
   * If the module cannot be loaded, its runs fail with an error for the operator, and the next run tries again.
   */
  readonly assistant: (path: string) => Assistant
  /** Ends all processes. */
  close(): Promise<void>
}

interface Current {
  readonly process: ModuleProcess
  /** Identifies the file content that it has loaded. */
  readonly version: string
}

export const createModuleHost = (options: ModuleHostOptions): ModuleHost => {
  const { directory, reloads, ...shared } = options
  const environment = withoutSecrets(options.environment)
  const current = new Map<string, Current>()
  const all = new Set<ModuleProcess>()

  const start = (file: string, version: string): ModuleProcess => {
    const forget = (): void => {
      if (current.get(file)?.process === process) current.delete(file)
    }
    const process: ModuleProcess = createModuleProcess({
      ...shared,
      environment,
      file,
      onUnusable: forget,
      onGone: () => all.delete(process),
    })
    all.add(process)
    current.set(file, { process, version })
    return process
  }

  const processOf = async (file: string): Promise<ModuleProcess> => {
    const version = reloads ? await versionOf(file) : ''
    const known = current.get(file)
    if (known === undefined) return start(file, version)
    if (known.version === version) return known.process
    const next = start(file, version)
    known.process.retire()
    return next
  }

  return {
    assistant: (path) =>
      async function* (request) {
        const process = await processOf(resolve(directory, path))
        const run = process.begin(request)
        try {
          for (;;) {
            const event = await run.next()
            switch (event.type) {
              case 'step': {
                const step = readStep(event.step, `The assistant module ${path} yielded`)
                if ('end' in step) return step.end
                run.performed(event.cost, step, yield step)
                break
              }
              case 'end':
                return readOutcome(event.outcome, `The assistant module ${path} returned`)
              case 'failure':
                throw event.error
              case 'gone':
                throw new RunFailure({ state: 'interrupted' })
            }
          }
        } finally {
          await run.close()
        }
      },
    close: async () => {
      await Promise.all([...all].map((process) => process.end()))
    },
  }
}

/** Settings of the gateway's client, which a module may use. */
const OF_CLIENTS = ['GATEWAY_BASE_URL', 'GATEWAY_API_KEY']

/** The environment without the settings and secrets of the gateway, its database and its tracing. */
const withoutSecrets = (environment: ModuleHostOptions['environment']) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => OF_CLIENTS.includes(name) || !isOwnVariable(name)))

/** A missing file has a version too; loading it reports the fault. */
const versionOf = async (file: string): Promise<string> => {
  const found = await stat(file).catch(() => null)
  return found === null ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`
}
