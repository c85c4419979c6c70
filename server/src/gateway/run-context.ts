import { readGenerationContext } from '../store/history/history.ts'
import type { GatewayContext } from './context.ts'

/** What an assistant gets to see of its generation. */
const LIMITS = { messages: 100, bytes: 256 * 1024 }

/** What was said in the run's generation before it, oldest first. */
export const readRunContext = (
  { db }: GatewayContext,
  run: Parameters<typeof readGenerationContext>[1],
): ReturnType<typeof readGenerationContext> => readGenerationContext(db, run, LIMITS)
