import { z } from 'zod'
import { isOwnVariable } from '../domain/own-variables.ts'
import { createSleep } from '../runtime/sleep.ts'
import type { Timers } from '../runtime/timers.ts'
import type { Assistant, AssistantSource } from './assistant.ts'
import { echo } from './echo.ts'
import { createOpenai } from './openai.ts'
import { createScript } from './script.ts'

export interface AssistantDependencies {
  /** The environment with the keys of model servers. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Makes the assistant of an operator's module. */
  readonly moduleAssistant: (path: string) => Assistant
  /** Creates `http` assistants; null if the services' secrets are not available in this process. */
  readonly httpAssistant: ((stored: StoredHttpAssistant) => Assistant) | null
  readonly timers: Pick<Timers, 'after'>
}

const httpSchema = z.object({
  type: z.literal('http'),
  url: z.url(),
  sealed_query: z.base64().optional(),
  first_byte_seconds: z.int().min(1).optional(),
})

const configSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('echo') }),
  z.object({ type: z.literal('script') }),
  z.object({
    type: z.literal('openai'),
    base_url: z.url(),
    model: z.string(),
    api_key_env: z
      .string()
      .refine((name) => !isOwnVariable(name), 'names a variable of the gateway itself')
      .optional(),
    system_prompt: z.string().optional(),
    accept_truncated: z.boolean().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ type: z.literal('module'), path: z.string() }),
  httpSchema,
  z.object({ type: z.literal('worker') }),
])

/**
 * An `http` assistant as it is stored: the query of its URL, which may contain a token, is stored separately,
 * encrypted.
 */
export type StoredHttpAssistant = z.infer<typeof httpSchema>

/** Null for another assistant. */
export const readHttpAssistant = (stored: unknown): StoredHttpAssistant | null =>
  httpSchema.safeParse(stored).data ?? null

/** The assistants of D-44, made from the `assistant` member of a published version. */
export const createAssistants = ({
  environment,
  moduleAssistant,
  httpAssistant,
  timers,
}: AssistantDependencies): AssistantSource => {
  const script = createScript(createSleep(timers))
  return (config) => {
    const parsed = configSchema.safeParse(config)
    if (!parsed.success)
      return faulty(`The assistant of this version is misconfigured: ${z.prettifyError(parsed.error)}`)
    const assistant = parsed.data
    switch (assistant.type) {
      case 'echo':
        return echo
      case 'script':
        return script
      case 'module':
        return moduleAssistant(assistant.path)
      case 'http':
        return (
          httpAssistant?.(assistant) ??
          faulty(
            'Only processes of the gateway can sign the runs of an http assistant: publish the service on a device without device keys, or name its device in GATEWAY_DEVICES.',
          )
        )
      case 'worker':
        return faulty(
          'The service is executed by workers of its device: create a device key and start a worker with it.',
        )
      case 'openai': {
        const { base_url, model, api_key_env, system_prompt = null, accept_truncated = false } = assistant
        const { parameters = {}, headers = {} } = assistant
        const apiKey = api_key_env === undefined ? null : (environment[api_key_env]?.trim() ?? '')
        if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey))
          return faulty(`The environment variable ${api_key_env} does not contain a valid key.`)
        return createOpenai({
          baseUrl: base_url,
          model,
          apiKey,
          systemPrompt: system_prompt,
          acceptTruncated: accept_truncated,
          parameters,
          headers,
        })
      }
    }
  }
}

/** An assistant that fails its runs. The worker logs the reason for the operator. */
const faulty = (reason: string): Assistant =>
  // biome-ignore lint/correctness/useYield: it has to be a generator, and ends before its first step
  async function* () {
    throw new Error(reason)
  }
