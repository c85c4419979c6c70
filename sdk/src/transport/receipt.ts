/** What is left to do once the program has the answer of a call. */
export class Receipt {
  #forget: (() => void) | undefined

  /** There is an answer; `forget` is for when it has been taken. */
  settle(forget: () => void): void {
    this.#forget = forget
  }

  /**
   * The answer is handed to the program. Whatever waited for it goes on first: a process that dies before that has not
   * had it.
   */
  take(): void {
    const forget = this.#forget
    this.#forget = undefined
    if (forget) setTimeout(forget)
  }
}
