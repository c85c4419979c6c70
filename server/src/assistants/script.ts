import { once } from 'node:events'
import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import type { JsonObject, RunUsage } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { z } from 'zod'
import type { Sleep } from '../runtime/sleep.ts'
import type { Assistant, AssistantRequest } from './assistant.ts'
import { fail } from './assistant.ts'
import { echo } from './echo.ts'
import { findFaults } from './steps.ts'

/** Maximum number of steps of a script. */
export const SCRIPT_STEPS = 1000
/** Longest sleep, and longest delay of a stop, in milliseconds. */
export const SCRIPT_WAIT_MS = 3_600_000

const waitMs = z.int().min(0).max(SCRIPT_WAIT_MS)
const step = z
  .strictObject({
    delta: z.string(),
    message: z.string(),
    activity: z.custom<ActivityUpdate>().superRefine((activity, context) => {
      for (const message of findFaults('AssistantStep', { activity })) context.addIssue({ code: 'custom', message })
    }),
    sleep_ms: waitMs,
    approval: z.string(),
    succeed: z
      .strictObject({
        text: z.string().optional(),
        resource_ids: z.array(z.string()).max(LIMITS.resultResources).optional(),
        data: z.custom<JsonObject>().optional(),
        usage: z.custom<RunUsage>().optional(),
      })
      .superRefine(({ data, usage }, context) => {
        for (const message of findFaults('End', { state: 'succeeded', data, usage }))
          context.addIssue({ code: 'custom', message })
      }),
    fail: z.strictObject({
      code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
      message: z.string(),
      retryable: z.boolean().optional(),
    }),
    hang: z.literal(true),
    stop_delay_ms: waitMs,
    ignore_stop: z.literal(true),
    crash: z.literal(true),
  })
  .partial()
  .refine((members) => Object.keys(members).length === 1, 'must have exactly one member')
const scriptSchema = z.array(step).max(SCRIPT_STEPS)

/**
 * Executes the steps in `input.data.script` (D-45); without them, it behaves like echo. A malformed step fails the run
 * with SCRIPT_INVALID before the first step; the message contains the step's position. A result with an attachment that
 * does not belong to the run's subject fails the run with the same code, but only when the script reaches that step.
 */
export const createScript = (sleep: Sleep): Assistant =>
  async function* (request) {
    const script = request.input.data?.script
    if (script === undefined) return yield* echo(request)
    const parsed = scriptSchema.safeParse(script)
    if (!parsed.success) return fail('SCRIPT_INVALID', describeFault(parsed.error))

    const { signal } = request
    for (const [index, taken] of parsed.data.entries()) {
      if (signal.aborted) return undefined
      if (taken.delta !== undefined) yield { delta: taken.delta }
      else if (taken.message !== undefined) yield { message: taken.message }
      else if (taken.activity !== undefined) yield { activity: taken.activity }
      else if (taken.sleep_ms !== undefined) await sleep(taken.sleep_ms, signal)
      else if (taken.approval !== undefined) {
        if ((yield { approval: taken.approval }) === 'denied')
          return fail('APPROVAL_DENIED', 'The approval that the run asked for was denied.')
      } else if (taken.succeed !== undefined) {
        const { text, resource_ids, data, usage } = taken.succeed
        const foreign = await findForeign(request, resource_ids ?? [])
        if (foreign !== null) {
          const place = `input.data.script[${index}].succeed.resource_ids[${foreign}]`
          return fail('SCRIPT_INVALID', `${place}: is not an attachment of this subject with uploaded content.`)
        }
        return {
          state: 'succeeded',
          ...(text === undefined ? {} : { text }),
          ...(resource_ids === undefined ? {} : { resourceIds: resource_ids }),
          ...(data === undefined ? {} : { data }),
          ...(usage === undefined ? {} : { usage }),
        }
      } else if (taken.fail !== undefined) {
        const { code, message, retryable = false } = taken.fail
        return fail(code, message, { retryable })
      } else if (taken.hang) await once(signal, 'abort')
      else if (taken.stop_delay_ms !== undefined) yield { stopDelayMs: taken.stop_delay_ms }
      else if (taken.ignore_stop) yield { ignoreStop: true }
      else yield { crash: true }
    }
    return undefined
  }

/** The index of the first ID that is not an uploaded attachment of the run's subject; null if all are. */
const findForeign = async (
  { readResource }: Pick<AssistantRequest, 'readResource'>,
  resourceIds: readonly string[],
): Promise<number | null> => {
  for (const [index, resourceId] of resourceIds.entries()) if ((await readResource(resourceId)) === null) return index
  return null
}

const describeFault = ({ issues: [issue] }: z.ZodError): string => {
  if (issue === undefined) return 'input.data.script is not a script.'
  const place = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return `input.data.script${place}: ${issue.message}.`
}
