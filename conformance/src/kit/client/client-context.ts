import type { Check } from '../check.ts'
import type { Execution } from './adapter-process.ts'
import type { Ability, Command, Commands, JsonObject, OpenArguments } from './commands.ts'
import type { SimulatedGateway } from './simulated-gateway.ts'

/** A check of the target `client`. */
export type ClientCheck = Check<ClientContext, Ability>

/** A configured client in an adapter process. */
export interface OpenedClient {
  /** Runs a command and resolves with its result. Rejects with a `CommandError`, or after the deadline of a step. */
  call<Name extends Command>(command: Name, args: Commands[Name]): Promise<JsonObject>
  /** Starts a command that sends items, or that the check stops. */
  start<Name extends Command>(command: Name, args: Commands[Name]): Execution
  /** Kills its process with SIGKILL. */
  kill(): Promise<void>
}

/** What a check of a client works with: a simulated gateway and clients of it. */
export interface ClientContext {
  readonly gateway: SimulatedGateway
  readonly key: string
  readonly subject: string
  /**
   * Opens a client of the simulated gateway, in a process that no other open client uses.
   * Rejects with a `CommandError` when the client refuses the configuration.
   */
  open(changes?: Partial<OpenArguments>): Promise<OpenedClient>
  /** Opens a client in a newly started process. */
  openAnew(changes?: Partial<OpenArguments>): Promise<OpenedClient>
  /** Creates an empty folder, which is removed when the check ends. */
  folder(): Promise<string>
}
