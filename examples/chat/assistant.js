import { setTimeout as wait } from 'node:timers/promises'

/** Simulates an agent that thinks, calls a tool, streams its answer, and ends with data. Changes apply from the next message on. */
export default async function* ({ input, signal }) {
  const pause = (ms) => wait(ms, undefined, { signal })

  for (const text_delta of ['A question about an order. ', 'I look it up before I answer.']) {
    yield { activity: { activity_id: 'think', kind: 'reasoning', name: 'Thinks', text_delta } }
    await pause(600)
  }
  yield { activity: { activity_id: 'think', state: 'succeeded' } }

  const order = /\d+/.exec(input.text ?? '')?.[0] ?? '4711'
  yield {
    activity: { activity_id: 'find', kind: 'tool', name: 'find_order', title: 'Looks up the order', input: { order } },
  }
  await pause(1500)
  const found = { order, state: 'shipped', arrives: 'tomorrow' }
  yield { activity: { activity_id: 'find', state: 'succeeded', output: found } }

  const answer = `Order ${order} has left the warehouse and arrives tomorrow. Reload this page while I write, or open it in a second tab: the answer continues, without gaps or repetitions.`
  for (const word of answer.split(/(?<= )/)) {
    yield { delta: word }
    await pause(120)
  }
  return { state: 'succeeded', data: found, usage: { input_tokens: 24, output_tokens: 38 } }
}
