import { type EventEnvelope, isTerminalRunEvent } from '@conversation-gateway/sdk'
import type { Context } from '../context.ts'
import type { BehaviourCase } from './behaviour-case.ts'
import { claim, claimEqual } from './claims.ts'

const TEXT = 'Größe 7 🚀 and some more words'

const ask = async ({ client, createConversation }: Context, text = TEXT) => {
  const id = await createConversation()
  const reply = client.ask({ conversation_id: id, generation: 1 }, text)
  return { id, reply, ...(await reply.admission) }
}

/** The events of a conversation up to the end of its run. */
const readToTheEnd = async (context: Context, id: string): Promise<EventEnvelope[]> => {
  const events: EventEnvelope[] = []
  for await (const event of context.client.conversations.events(id)) {
    events.push(event)
    if (isTerminalRunEvent(event)) break
  }
  return events
}

export const streamCases: readonly BehaviourCase[] = [
  {
    name: 'a message is sent and its reply is streamed',
    run: async (context) => {
      const { reply } = await ask(context)
      const pieces: string[] = []
      for await (const piece of reply) pieces.push(piece)
      claimEqual(pieces.join(''), TEXT, 'the text')
      claim(pieces.length > 1, 'the reply arrives in several pieces')
      claimEqual((await reply.run()).result?.text, TEXT, 'the result')
    },
  },
  {
    name: 'a stream that is cut resumes at its position: every event once, in order',
    run: async (context) => {
      const { id, reply } = await ask(context)
      await reply.run()
      const whole = await readToTheEnd(context, id)
      const stream = `${id}/events$`
      await context.inject({ path: stream, fault: { kind: 'cut-stream', afterEvents: 2, how: 'complete' } })
      await context.inject({ path: stream, fault: { kind: 'cut-stream', afterEvents: 1, how: 'end' } })
      await context.inject({ path: stream, fault: { kind: 'cut-stream', afterEvents: 1, how: 'reset' } })
      await context.inject({ path: stream, fault: { kind: 'chunk', every: 1 } })
      claimEqual(await readToTheEnd(context, id), whole, 'the events')
      const [, ...connections] = await context.requests('GET', stream)
      const [first, second, third = 0, fourth = 0] = connections.map(({ headers }) =>
        Number(headers['last-event-id'] ?? 0),
      )
      claimEqual([first, second], [0, 2], 'the positions of the connections')
      // When a body breaks off, data that has arrived but was not read may be lost.
      claim([0, 1].includes(third - 2), `the third connection resumes at the last read event, not at ${third}`)
      claim([0, 1].includes(fourth - third), `the fourth connection resumes at the last read event, not at ${fourth}`)
      claimEqual(connections.length, 4, 'connections')
    },
  },
  {
    name: 'a compressed stream with CRLF or CR line endings is read',
    run: async (context) => {
      const { id, reply } = await ask(context)
      await reply.run()
      const whole = await readToTheEnd(context, id)
      for (const to of ['crlf', 'cr'] as const) {
        await context.inject({
          path: `${id}/events$`,
          fault: [{ kind: 'rewrite-line-endings', to }, { kind: 'gzip' }, { kind: 'chunk', every: 7 }],
        })
        claimEqual(await readToTheEnd(context, id), whole, `the events with ${to}`)
      }
    },
  },
  {
    name: 'the stream of a run that has already ended ends after its last event',
    run: async (context) => {
      const { reply, run_id } = await ask(context)
      await reply.run()
      const events: EventEnvelope[] = []
      for await (const event of context.client.runs.events(run_id)) events.push(event)
      claimEqual(events.at(-1)?.type, 'run.completed', 'the last event')
      claimEqual(events.filter(isTerminalRunEvent).length, 1, 'ends')
    },
  },
  {
    name: 'leaving the loop closes the connection and does not cancel the run',
    run: async ({ client, endpoints, untilAbandoned }) => {
      const script = [{ delta: 'still ' }, { sleep_ms: 300 }, { delta: 'here' }]
      const { run_id } = await client.runs.create(endpoints.script, { input: { text: '', data: { script } } })
      const stream = client.runs.events(run_id)
      for await (const _event of stream) break
      await untilAbandoned(`${run_id}/events$`)
      claimEqual(stream.position, null, 'the position before a second event is requested')
      claimEqual((await client.runs.wait(run_id)).result?.text, 'still here', 'the result')
    },
  },
  {
    name: 'an aborted stream rejects with the reason of the signal and closes the connection',
    run: async ({ client, createConversation, untilAbandoned }) => {
      const id = await createConversation()
      await client.ask({ conversation_id: id, generation: 1 }, 'one').run()
      const controller = new AbortController()
      const reason = new Error('no longer needed')
      let thrown: unknown
      try {
        // After the last event the stream waits for more.
        for await (const event of client.conversations.events(id, { signal: controller.signal }))
          if (isTerminalRunEvent(event)) setTimeout(() => controller.abort(reason), 10)
      } catch (error) {
        thrown = error
      }
      claim(thrown === reason, 'the error is the reason of the signal')
      await untilAbandoned(`${id}/events$`)
    },
  },
  {
    name: 'a watched view equals the snapshot at the end, even if its stream was cut',
    run: async (context) => {
      const id = await context.createConversation()
      const { client } = context
      await context.inject({ path: `${id}/events$`, fault: { kind: 'cut-stream', afterEvents: 3 } })
      let sent = false
      for await (const item of client.conversations.watch(id)) {
        if (!sent) await client.messages.send(id, { expected_generation: 1, input: { text: TEXT } })
        sent = true
        if (item.state.runs.some(({ state }) => state === 'succeeded')) {
          const { messages, watermark } = await client.conversations.get(id)
          claimEqual(item.state.position, watermark, 'the position')
          claimEqual(
            item.state.messages.map(({ message_id, role, content }) => [message_id, role, content.text]),
            messages.map(({ message_id, role, content }) => [message_id, role, content.text]),
            'the messages',
          )
          break
        }
      }
      await context.untilAbandoned(`${id}/events$`)
    },
  },
]
