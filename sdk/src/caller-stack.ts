import { GatewayError } from './errors.ts'

/** The stack at the program's call. The engine formats it when it is read, which happens only for errors. */
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
 * Adds the caller's stack to the error that the call rejects with. The error is created when an answer arrives, and by
 * then the caller is not on the stack.
 */
export async function withCaller<T>(call: PromiseLike<T>, caller: Caller): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GatewayError) addFrames(error, caller.stack)
    throw error
  }
}

/** An error that several callers receive gets the stack of each. */
function addFrames(error: Error, stack: unknown): void {
  // A program can configure the engine to format stacks as something other than text.
  if (typeof error.stack !== 'string' || typeof stack !== 'string') return
  const frames = stack.slice(stack.indexOf('\n') + 1)
  if (!error.stack.includes(frames)) error.stack += `\n${frames}`
}
