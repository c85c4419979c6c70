const isBuilt = import.meta.url.endsWith('.js')

/** The command that starts this program: through npm in the repository, and by its compiled file where it was built. */
export const PROGRAM = isBuilt ? 'node main.js' : 'npm start --'
export const ADMIN_PROGRAM = isBuilt ? 'node main.js admin' : 'npm run -s admin --'

/** A fault of how the process was started. It is printed without a stack, since the reader is an operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

/** Reads the arguments of a command. @throws {StartRefused} with the reason and the help, if `read` throws. */
export const readArguments = <T>(help: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw new StartRefused(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  }
}
