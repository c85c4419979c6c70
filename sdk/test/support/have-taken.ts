/** Resolves when the client has begun its work that follows the program's receipt of an answer. */
export const haveTaken = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))
