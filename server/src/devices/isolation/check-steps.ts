import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { z } from 'zod'

export const stepSchema = z.union([
  z.strictObject({ delta: z.string() }),
  z.strictObject({ message: z.string() }),
  z.strictObject({ approval: z.string() }),
])

export const outcomeSchema = z
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

/** Checks what a module gave, so that a slip fails one run with a clear log line. */
export const parse = <T>(schema: z.ZodType<T>, value: unknown, what: string): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error(`The assistant module ${what} something other than documented: ${z.prettifyError(parsed.error)}`)
}
