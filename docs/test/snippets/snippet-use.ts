import type { Block } from '../../../sdk/test/support/markdown-blocks.ts'

/** How a code block is used, according to the words after its language. */
export type SnippetUse =
  /** `ts`: a separate program, run to its end. */
  | { readonly kind: 'program' }
  /** `ts file=orders.ts`: written under that name, for a later block to run or to import. */
  | { readonly kind: 'file'; readonly name: string }
  /** `ts serve`: a receiver of callbacks, run and tested. */
  | { readonly kind: 'receiver' }
  /** `sh`: run in a shell that all these blocks of a text share. */
  | { readonly kind: 'shell' }
  /** `sh terminal`: run in a separate terminal; the next block waits for its first line of output. */
  | { readonly kind: 'terminal' }
  /**
   * `text output`: the output of the previous block. `…` matches any text within a line; alone, any number of lines.
   */
  | { readonly kind: 'output' }
  /** Any language with `not-run`: only shown; TypeScript is still compiled. */
  | { readonly kind: 'not-run' }
  /** Only shown: `json`, which is parsed, and `text`. */
  | { readonly kind: 'shown' }

const FILE = /^file=([\w./-]+)$/

/** Throws for unknown words, so that a typo cannot silently exclude a snippet from the tests. */
export const useOf = ({ language, words, line }: Block): SnippetUse => {
  const info = words.join(' ')
  if (info === 'not-run') return { kind: 'not-run' }
  const name = FILE.exec(info)?.[1]
  if (name !== undefined && ['ts', 'tsx', 'js', 'json', 'yaml', 'py', 'go'].includes(language))
    return { kind: 'file', name }
  switch (`${language} ${info}`.trim()) {
    case 'ts':
      return { kind: 'program' }
    case 'ts serve':
      return { kind: 'receiver' }
    case 'sh':
      return { kind: 'shell' }
    case 'sh terminal':
      return { kind: 'terminal' }
    case 'text output':
      return { kind: 'output' }
    case 'json':
    case 'text':
      return { kind: 'shown' }
    default:
      throw new Error(`Line ${line}: “${language} ${info}” is not a known kind of block.`)
  }
}

/** Whether a program printed the expected output. */
export const matchesOutput = (printed: string, expected: string): boolean => {
  const lines = expected.trimEnd().split('\n')
  const pattern = lines
    .map((line) => (line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escapePattern).join('.*')}\\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(`${printed.replaceAll('\r', '').trimEnd()}\n`)
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
