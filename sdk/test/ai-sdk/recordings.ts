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
  [
    { activity: { activity_id: 'call', kind: 'tool', name: 'find_order', input: { order: 1 } } },
    { activity: { activity_id: 'call', state: 'succeeded', output: { state: 'shipped' } } },
    { delta: 'Shipped.' },
    { succeed: { data: { state: 'shipped' }, usage: { input_tokens: 3 } } },
  ],
  [
    { activity: { activity_id: 'thought', kind: 'reasoning', name: 'reasoning', text_delta: 'One' } },
    { activity: { activity_id: 'thought', text_delta: ' two', state: 'succeeded' } },
    { activity: { activity_id: 'page', kind: 'source', name: 'web', output: { url: 'https://example.com/' } } },
    { activity: { activity_id: 'plan', kind: 'plan', name: 'plan', output: ['look', 'answer'] } },
    { delta: 'Done.' },
  ],
  [
    { activity: { activity_id: 'call', kind: 'tool', name: 'refund' } },
    { activity: { activity_id: 'call', state: 'failed', text: 'Not allowed.' } },
    { fail: { code: 'NO_REFUND', message: 'There is no refund.' } },
  ],
]

/** Scripts that the tests play step by step, each with and without earlier messages in the chat. */
export const RECORDINGS = SCRIPTS.flatMap((script, index) => [
  { name: `${index}`, script, before: 0 },
  { name: `${index}, later in the chat`, script, before: 2 },
])
