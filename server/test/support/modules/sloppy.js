const SLIPS = {
  step: { text: 'hello' },
  many: { delta: 'a', message: 'b' },
  text: 'hello',
}

export default async function* ({ input }) {
  if (input.text in SLIPS) yield SLIPS[input.text]
  return { state: 'failed', error: { code: 'lower-case', message: 'no', retryable: false } }
}
