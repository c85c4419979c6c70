const DELTAS = 1000
const ACTIVITIES = 100

/**
 * A thousand pieces of text, with the start and the end of a tool call after every ten, or with two more pieces
 * instead.
 */
export default async function* ({ input }) {
  for (let call = 0; call < ACTIVITIES; call += 1) {
    for (let piece = 0; piece < DELTAS / ACTIVITIES; piece += 1) yield { delta: `word ${piece} ` }
    if (input.data?.activities) {
      yield { activity: { activity_id: `call_${call}`, kind: 'tool', name: 'look_up', input: { call } } }
      yield { activity: { activity_id: `call_${call}`, state: 'succeeded', output: { call } } }
    } else {
      yield { delta: `call ${call} ` }
      yield { delta: `done ${call} ` }
    }
  }
}
