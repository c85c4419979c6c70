import vectors from '../../../sdk/vectors/signature-vectors.json' with { type: 'json' }
import { readDocument } from './documents.ts'

/** A program that the guide of callbacks shows, by the name of its file. */
export const guideProgram = async (file: string): Promise<string> => {
  const { blocks } = await readDocument('docs/guides/receive-callbacks.md')
  const block = blocks.find(({ words }) => words.includes(`file=${file}`))
  if (block === undefined) throw new Error(`The guide of callbacks shows no ${file}.`)
  return block.code
}

/** The headers and bodies that a verifier is asked about, as JSON for a program in another language. */
export const QUESTIONS = vectors.map(({ headers, body_base64: body, secrets, now }) => ({
  headers,
  body,
  secrets,
  now,
}))

/** The expected answers, each with the name of its case. */
export const VERDICTS = vectors.map(({ name, expect: { ok } }): [string, boolean] => [name, ok])

/** Pairs the answers of a program, one `true` or `false` per line in any letter case, with the names of their cases. */
export const verdictsOf = (output: string): [string, boolean][] => {
  const lines = output.trim().toLowerCase().split('\n')
  return vectors.map(({ name }, index) => [name, lines[index] === 'true'])
}
