export default async function* ({ input, readContext }) {
  const { length } = await readContext()
  yield { delta: `Hello ${input.text}, ` }
  const decision = yield { approval: 'Tell the number?' }
  yield { message: decision }
  return { state: 'succeeded', text: `${length} messages before` }
}
