// What the service `module` of a configuration has as its assistant: it says whom it heard, and then what.
export default async function* ({ input }) {
  yield { delta: 'The module heard: ' }
  yield { delta: input.text }
}
