/**
 * The program of a thread or process, named without its extension, that lies beside the module at `url`. A compiled module has a
 * compiled program beside it; the compiler changes the paths of imports only.
 */
export const programBeside = (name: string, url: string): URL => new URL(`./${name}${url.slice(-3)}`, url)
