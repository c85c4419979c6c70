/** A fenced block of a Markdown text. */
export interface Block {
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  /** The text after the language: how the block is used. */
  readonly words: readonly string[]
  readonly code: string
}

/**
 * Every fenced block, in order. Throws for a fence that is indented, unclosed or without a language, so that no block
 * is missed.
 */
export const readBlocks = (markdown: string): Block[] => {
  const blocks = [...markdown.matchAll(/^```(\w+)(?: +([^\n]+))?\n(.*?)^```$/gms)].map(
    ({ 1: language = '', 2: words = '', 3: code = '', index }) => ({
      line: markdown.slice(0, index).split('\n').length,
      language,
      words: words.split(/ +/).filter((word) => word !== ''),
      code,
    }),
  )
  const fences = markdown.match(/^\s*```/gm)?.length ?? 0
  if (fences !== 2 * blocks.length)
    throw new Error(`${fences} fences make ${blocks.length} blocks: one is indented, unclosed or without a language.`)
  return blocks
}
