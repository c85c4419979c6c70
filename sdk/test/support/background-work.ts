/** Waits until the client has started the work that it does after the program has received an answer. */
export const backgroundWorkStarted = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
