import type { Reply } from '../../src/testing/index.ts'

const SCRIPTS: readonly Reply[] = [
  'one two three',
  'Größe 漢 𝄞 🚀',
  [{ delta: 'a' }],
  [{ message: 'whole' }],
  [{ delta: 'a' }, { message: 'b' }, { delta: 'c' }],
  [{ message: 'a' }, { message: 'b' }],
  [{ delta: 'half' }, { fail: { code: 'MODEL_UNAVAILABLE', message: 'Gone.' } }],
  [{ fail: { code: 'MODEL_UNAVAILABLE', message: 'Gone.' } }],
  [{ delta: 'half' }, { interrupt: true }],
  [{ delta: 'result' }, { succeed: { text: 'another' } }],
]

/** Runs that were recorded step by step: twenty of them, each script with and without something said before it. */
export const RECORDINGS = SCRIPTS.flatMap((script, index) => [
  { name: `${index}`, script, before: 0 },
  { name: `${index}, later in the chat`, script, before: 2 },
])
