/** What is wrong with how the process was started: told without a stack, since the reader is not its programmer. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
