import { writeFile } from 'node:fs/promises'
import { createBodyVectors } from './body-vectors.ts'
import { createHeaderVectors } from './header-vectors.ts'
import { createSecretVectors } from './secret-vectors.ts'
import { createSignatureVectors } from './signature-vectors.ts'
import { createTimeVectors } from './time-vectors.ts'
import type { Vector } from './vector.ts'

/** Returns all vectors; every call returns the same ones. */
export const generateVectors = async (): Promise<Vector[]> => {
  const groups = [
    createBodyVectors(),
    createSignatureVectors(),
    createHeaderVectors(),
    createTimeVectors(),
    createSecretVectors(),
  ]
  return (await Promise.all(groups)).flat()
}

/** The text of `signature-vectors.json`: plain ASCII, one vector per line. */
export const toFileText = (vectors: readonly Vector[]): string => {
  const lines = vectors.map((vector) =>
    JSON.stringify(vector).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
  return `[\n${lines.join(',\n')}\n]\n`
}

if (import.meta.main) {
  await writeFile(new URL('signature-vectors.json', import.meta.url), toFileText(await generateVectors()))
}
