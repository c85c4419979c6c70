// The assistant of the configuration's service `module`. It replies with a fixed introduction and the received text.
export default async function* ({ input }) {
  yield { delta: 'The module heard: ' }
  yield { delta: input.text }
}
