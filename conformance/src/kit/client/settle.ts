import type { OpenedClient } from './client-context.ts'
import { type Command, CommandError, type Commands, type JsonObject } from './commands.ts'

/**
 * Runs a write to an end that is known: where the client stops trying and hands out a handle, it is asked to finish it, as
 * its user would.
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
      if (!(error instanceof CommandError) || error.kind !== 'unknown' || replays === MOST_REPLAYS) throw error
      const { handle } = error.details
      if (handle === undefined) throw error
      attempt = () => client.call('replay', { handle })
    }
  }
}

/** More than the faults of any check. */
const MOST_REPLAYS = 8
