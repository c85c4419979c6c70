import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../message-of.ts'
import { parseDeclared } from './declared-config.ts'
import { UsageError } from './usage-error.ts'

/**
 * Loads a configuration: the given value, the content of a YAML or JSON file, or the default export of a module. A
 * function is called.
 * @throws {UsageError} The file does not exist, cannot be loaded or has no default export, or the function fails.
 */
export async function loadConfig<Config>(config: unknown): Promise<Config> {
  if (typeof config !== 'string') return resolveConfig('config', config)
  const file = config
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`There is no configuration file ${path}.`)
  if (/\.(ya?ml|json)$/.test(file)) return resolveConfig(file, parseDeclared(file, readFileSync(path, 'utf8')))
  const module: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be loaded: ${messageOf(error)}`, { cause: error })
  })
  const source: unknown =
    typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  return resolveConfig(file, source)
}

/**
 * Returns the result of `accept`. If it throws, calls the configuration's `stop` first, because loading may have
 * started processes.
 */
export async function acceptConfig<Config, Accepted>(
  config: Config,
  accept: (config: Config) => Accepted | Promise<Accepted>,
): Promise<Accepted> {
  try {
    return await accept(config)
  } catch (error) {
    const { stop } = Object(config)
    if (typeof stop === 'function') await stop.call(config)
    throw error
  }
}

/** How messages name a configuration. */
export const nameOfConfig = (config: unknown): string => (typeof config === 'string' ? config : 'The configuration')

/** Resolves a default export: calls a function, and returns any other value. */
async function resolveConfig<Config>(name: string, source: unknown): Promise<Config> {
  const config: unknown = typeof source === 'function' ? await callSource(name, source) : source
  if (typeof config !== 'object' || config === null)
    throw new UsageError(`${name} has no configuration as its default export.`)
  return config as Config
}

const callSource = async (name: string, source: CallableFunction): Promise<unknown> => {
  try {
    return await source()
  } catch (error) {
    throw new UsageError(`The function that ${name} exports failed: ${messageOf(error)}`, { cause: error })
  }
}
