/** Resolves when what a client does after the program has gone on with an answer has begun. */
export const haveTaken = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
