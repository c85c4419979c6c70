import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { endsRun, expectBegins, runScript } from '../../../kit/steps/events.ts'

/** How long a stream may be silent before the server sends a keepalive. */
const SILENCE_MS = 15_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/keepalives-are-no-events',
    title: 'a silent stream is kept alive only by comments, and every message on it is a recorded event',
    rules: ['SSE-37'],
    tags: ['slow'],
    streams: 2,
    run: async (t) => {
      const { conversation, events } = await runScript(t, { succeed: { text: 'done' } })
      const after = events.at(-1)?.seq ?? 0
      const idle = await t.me.events(conversation.conversation_id, { after })
      const kept = idle.until(
        'a keepalive',
        ({ frames }) => frames.some(({ comments, data }) => comments.length > 0 || data !== undefined),
        { by: 'frame', moreMs: SILENCE_MS },
      )
      await kept.catch(() => t.untestable('the server sends no keepalives on a silent stream'))
      assert.deepEqual(
        idle.frames.filter(({ data }) => data !== undefined).map(({ raw }) => raw),
        [],
        'a stream without events sent messages to keep it alive',
      )
      // After keepalives the stream still delivers events.
      const { run_id: runId } = await t.admit(conversation, t.script({ succeed: {} }))
      await idle.event('the end of the run', endsRun(runId))
      const received = [...idle.events]
      await expectBegins(
        await t.me.events(conversation.conversation_id, { after }),
        received,
        'the conversation, read again',
      )
    },
  },
]
