import type { OpenedClient } from '../../targets/client/client-context.ts'
import { type Command, CommandError, type Commands, type JsonObject } from '../../targets/client/commands.ts'

/**
 * Runs a write to an end that is known: where the client stops trying and hands out a handle, it is asked to finish it, as
 * its user would.
 */
export const settle = async <Name extends Command>(
  client: OpenedClient,
  command: Name,
  args: Commands[Name],
): Promise<JsonObject> => {
  try {
    return await client.call(command, args)
  } catch (error) {
    if (!(error instanceof CommandError) || error.kind !== 'unknown' || error.details.handle === undefined) throw error
    return client.call('replay', { handle: error.details.handle })
  }
}
