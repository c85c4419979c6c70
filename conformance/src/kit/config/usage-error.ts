/** The command line or the configuration is wrong. Reported without a stack. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
  }
}

/** @throws {UsageError} There are faults; the error lists them. @param name Names the configuration that has them. */
export function throwIfAny(name: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new UsageError(`${name} has faults:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
}
