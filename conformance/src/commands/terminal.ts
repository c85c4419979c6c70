/** A command's output: results go to standard output, everything else to standard error. */
export interface Terminal {
  print(text: string): void
  log(text: string): void
}
