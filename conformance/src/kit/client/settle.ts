import type { OpenedClient } from './client-context.ts'
import { type Command, CommandError, type Commands, type JsonObject } from './commands.ts'

/**
 * Runs a write until its outcome is known. If the client stops retrying and returns a handle, replays the write by that
 * handle, as a user would do.
 */
export const settle = async <Name extends Command>(
  client: OpenedClient,
  command: Name,
  args: Commands[Name],
): Promise<JsonObject> => {
  let attempt = (): Promise<JsonObject> => client.call(command, args)
  for (let replays = 0; ; replays += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof CommandError) || error.kind !== 'unknown' || replays === MAX_REPLAYS) throw error
      const { handle } = error.details
      if (handle === undefined) throw error
      attempt = () => client.call('replay', { handle })
    }
  }
}

/** More than the number of faults in any check. */
const MAX_REPLAYS = 8
