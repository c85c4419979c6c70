/** Where a command's text goes: results to standard output, everything else to standard error. */
export interface Terminal {
  print(text: string): void
  tell(text: string): void
}
