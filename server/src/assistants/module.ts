import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { z } from 'zod'
import type { Assistant, AssistantRequest } from './assistant.ts'

/** Loads operators' modules, each file once for the life of the process. */
export type ModuleLoader = (path: string) => Promise<ModuleFunction>

type ModuleFunction = (request: AssistantRequest) => unknown

/**
 * A module is named by its path, absolute or relative to `directory`. It exports its async generator as `default` or
 * as `assistant`.
 * @throws Error, said for the operator, when the file cannot be loaded or has no such export; the next run tries again.
 */
export const createModuleLoader = (directory: string): ModuleLoader => {
  const loading = new Map<string, Promise<ModuleFunction>>()
  return (path) => {
    const file = resolve(directory, path)
    const known = loading.get(file)
    if (known !== undefined) return known
    const loaded = load(file)
    loading.set(file, loaded)
    loaded.catch(() => loading.delete(file))
    return loaded
  }
}

const load = async (file: string): Promise<ModuleFunction> => {
  const exported: Record<string, unknown> = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new Error(`The assistant module ${file} cannot be loaded.`, { cause })
  })
  const candidate = exported.default ?? exported.assistant
  if (isFunction(candidate)) return candidate
  throw new Error(`The assistant module ${file} exports no async generator function as "default" or "assistant".`)
}

const isFunction = (value: unknown): value is ModuleFunction => typeof value === 'function'

const stepSchema = z.union([
  z.strictObject({ delta: z.string() }),
  z.strictObject({ message: z.string() }),
  z.strictObject({ approval: z.string() }),
])

const outcomeSchema = z
  .discriminatedUnion('state', [
    z.strictObject({
      state: z.literal('succeeded'),
      text: z.string().exactOptional(),
      resourceIds: z.array(z.string()).max(LIMITS.resultResources).exactOptional(),
    }),
    z.strictObject({
      state: z.literal('failed'),
      error: z.strictObject({
        code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
        message: z.string(),
        retryable: z.boolean(),
      }),
    }),
  ])
  .optional()

/** Runs an operator's module; what it yields and returns is checked, so that a slip fails one run with a clear log line. */
export const createModuleAssistant = (load: ModuleLoader, path: string): Assistant =>
  async function* (request) {
    const run = await load(path)
    const steps = run(request)
    if (!isAsyncGenerator(steps)) throw new Error(`The assistant module ${path} did not return an async generator.`)
    try {
      let turn = await steps.next()
      while (turn.done !== true) turn = await steps.next(yield parse(stepSchema, turn.value, `${path} yielded`))
      return parse(outcomeSchema, turn.value, `${path} returned`)
    } finally {
      await steps.return(undefined)
    }
  }

const isAsyncGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.asyncIterator in value &&
  'next' in value &&
  typeof value.next === 'function' &&
  'return' in value &&
  typeof value.return === 'function'

const parse = <T>(schema: z.ZodType<T>, value: unknown, what: string): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error(`The assistant module ${what} something other than documented: ${z.prettifyError(parsed.error)}`)
}
