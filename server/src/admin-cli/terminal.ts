import { styleText } from 'node:util'

export type Style = 'bold' | 'red' | 'yellow'
export type Paint = (style: Style, text: string) => string

/** Where the command line writes to. */
export interface Terminal {
  /** The answer. */
  print(text: string): void
  /** Errors and hints. */
  printError(text: string): void
  /** Characters in a line; Infinity if the output is not a terminal. */
  readonly width: number
  readonly paint: Paint
}

export const createTerminal = ({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): Terminal => {
  // A reader such as `head` may close the pipe early.
  stdout.on('error', () => process.exit(0))
  // `hasColors` also respects NO_COLOR.
  const isColoured = stdout.isTTY && stderr.isTTY && stdout.hasColors()
  return {
    print: (text) => stdout.write(text),
    printError: (text) => stderr.write(text),
    width: stdout.isTTY ? stdout.columns : Infinity,
    paint: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
  }
}

/** Escapes control characters, because the text may come from untrusted users. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    if (character === '\n') return '\\n'
    return `\\u{${character.codePointAt(0)?.toString(16)}}`
  })
