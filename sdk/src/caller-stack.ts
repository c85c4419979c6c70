import { GatewayError } from './errors.ts'

/** Where the program called. Formatted by the engine when it is read, which is when there is an error. */
export interface Caller {
  readonly stack?: unknown
}

/** @param above The function above which the program's stack begins. */
export function captureCaller(above: unknown): Caller {
  const caller: Caller = {}
  const engine = Error as { captureStackTrace?: unknown }
  if (typeof engine.captureStackTrace === 'function') engine.captureStackTrace(caller, above)
  return caller
}

/**
 * Adds the stack of the caller to what the call rejects with: the error itself is made when an answer comes, and the caller is
 * not on the stack any more.
 */
export async function withCaller<T>(call: PromiseLike<T>, caller: Caller): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GatewayError) addFrames(error, caller.stack)
    throw error
  }
}

/** An error of which several callers are told gets the stack of each. */
function addFrames(error: Error, stack: unknown): void {
  // A program can have the engine format stacks as something else than text.
  if (typeof error.stack !== 'string' || typeof stack !== 'string') return
  const frames = stack.slice(stack.indexOf('\n') + 1)
  if (!error.stack.includes(frames)) error.stack += `\n${frames}`
}
