import { readGenerationContext } from '../store/history/history.ts'
import type { GatewayContext } from './context.ts'

/** Limits of the context that an assistant gets. */
const LIMITS = { messages: 100, bytes: 256 * 1024 }

type Run = Parameters<typeof readGenerationContext>[1] & {
  readonly endpointId: string
  readonly bindingVersion: number
}

/**
 * The earlier messages of the run's generation, oldest first; with activities if its service has `context_activities`
 * (D-69).
 */
export const readRunContext = async (
  { db, schemas }: GatewayContext,
  run: Run,
): ReturnType<typeof readGenerationContext> => {
  const { contextActivities } = await schemas.load(db, { ...run, version: run.bindingVersion })
  return readGenerationContext(db, run, { ...LIMITS, withActivities: contextActivities })
}
