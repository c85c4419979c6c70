/**
 * Finds the program of a thread or process, by its name without extension, beside the module at `url`. The extension is
 * that of the module, because the compiler rewrites only import paths.
 */
export const programBeside = (name: string, url: string): URL => new URL(`./${name}${url.slice(-3)}`, url)
