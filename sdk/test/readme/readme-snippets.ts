import { readFileSync } from 'node:fs'

const README = new URL('../../README.md', import.meta.url)

/** A TypeScript block of the README, with the word after `ts` that says how it is used. */
export interface Snippet {
  readonly line: number
  readonly kind: 'quickstart' | 'serve' | ''
  readonly code: string
}

/** Every TypeScript block of the README, in order. */
export function readSnippets(): Snippet[] {
  const text = readFileSync(README, 'utf8')
  return [...text.matchAll(/^```ts ?(quickstart|serve|)\n(.*?)^```$/gms)].map(
    ({ 1: kind = '', 2: code = '', index }) => ({
      line: text.slice(0, index).split('\n').length,
      kind: kind === 'quickstart' || kind === 'serve' ? kind : '',
      code,
    }),
  )
}

/** How many TypeScript blocks there are, whatever stands after `ts`. */
export const countBlocks = (): number => readFileSync(README, 'utf8').match(/^```ts/gm)?.length ?? 0
