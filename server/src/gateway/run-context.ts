import { readGenerationContext } from '../store/history/history.ts'
import type { GatewayContext } from './context.ts'

/** What an assistant gets to see of its generation. */
const LIMITS = { messages: 100, bytes: 256 * 1024 }

type Run = Parameters<typeof readGenerationContext>[1] & {
  readonly endpointId: string
  readonly bindingVersion: number
}

/** What was said in the run's generation before it, oldest first; with activities where its service asks for them (D-69). */
export const readRunContext = async (
  { db, schemas }: GatewayContext,
  run: Run,
): ReturnType<typeof readGenerationContext> => {
  const { contextActivities } = await schemas.load(db, { ...run, version: run.bindingVersion })
  return readGenerationContext(db, run, { ...LIMITS, withActivities: contextActivities })
}
