import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What was wrong with how the suite was called or configured: told without a stack. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
  }
}

/**
 * Loads the default export of a configuration file, and calls it where it is a function.
 * @throws {UsageError} there is no such file, it cannot be loaded, or exports nothing.
 */
export async function loadConfig<Config>(file: string): Promise<Config> {
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`There is no configuration file ${path}.`)
  const module: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be loaded: ${messageOf(error)}`, { cause: error })
  })
  const source: unknown =
    typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  return resolveConfig(file, source)
}

/** What a configuration's default export stands for: itself, or what it returns where it is a function. */
export async function resolveConfig<Config>(name: string, source: unknown): Promise<Config> {
  const config: unknown = typeof source === 'function' ? await source() : source
  if (typeof config !== 'object' || config === null)
    throw new UsageError(`${name} has no configuration as its default export.`)
  return config as Config
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
