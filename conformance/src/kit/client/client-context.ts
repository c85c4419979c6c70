import type { Check } from '../check.ts'
import type { Execution } from './adapter-process.ts'
import type { Ability, Command, Commands, JsonObject, OpenArguments } from './commands.ts'
import type { PlayedGateway } from './played-gateway.ts'

/** A check of the target `client`. */
export type ClientCheck = Check<ClientContext, Ability>

/** A configured client in an adapter process. */
export interface OpenedClient {
  /** Runs a command and gives its result. Rejects with a `CommandError`, or when the step takes too long. */
  call<Name extends Command>(command: Name, args: Commands[Name]): Promise<JsonObject>
  /** The same for commands that bring items, or that are stopped. */
  start<Name extends Command>(command: Name, args: Commands[Name]): Execution
  /** Ends its process at once, without a warning. */
  kill(): Promise<void>
}

/** What a check of a client works with: a gateway to play, and clients of it. */
export interface ClientContext {
  readonly gateway: PlayedGateway
  readonly key: string
  readonly subject: string
  /**
   * Opens a client of the played gateway, in a process that no other open client has.
   * Rejects with a `CommandError` when the client refuses the configuration.
   */
  open(changes?: Partial<OpenArguments>): Promise<OpenedClient>
  /** The same in a process that has only just been started, and has done nothing before. */
  openAnew(changes?: Partial<OpenArguments>): Promise<OpenedClient>
  /** A new empty folder that lives as long as the check. */
  folder(): Promise<string>
}
