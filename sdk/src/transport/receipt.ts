/** What is left to do once the program has the answer of a call. */
export class Receipt {
  #forget: (() => Promise<void>) | undefined

  /** There is an answer; `forget` is for when it has been taken. */
  settle(forget: () => Promise<void>): void {
    this.#forget = forget
  }

  /**
   * The answer is handed to the program. Whatever waited for it goes on first: a process that dies before that has not
   * had it. Resolves once what was left to do is done.
   */
  async take(): Promise<void> {
    const forget = this.#forget
    this.#forget = undefined
    if (forget === undefined) return
    await new Promise<void>((resolve) => setTimeout(resolve))
    await forget()
  }
}
