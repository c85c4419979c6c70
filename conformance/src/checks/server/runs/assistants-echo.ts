import assert from 'node:assert/strict'
import type { MessageInput, Run } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { endsRun, ofType, payloadOf, readRunEvents } from '../../../kit/steps/events.ts'

/** Sends the input to a new conversation of the service. Returns the ended run and the texts of its deltas. */
async function answerTo(
  t: ServerContext,
  endpointId: string | undefined,
  input: MessageInput,
): Promise<{ readonly run: Run; readonly deltas: readonly string[] }> {
  const conversation = await t.conversation({ endpoint_id: endpointId })
  const { run_id: runId } = await t.admit(conversation, input)
  const events = await readRunEvents(t, runId, 'the end of the run', (seen) => seen.some(endsRun(runId)))
  return {
    run: await t.runEnded(runId),
    deltas: ofType(events, 'assistant.delta').map((event) => String(payloadOf(event).text)),
  }
}

/** The words of a text whose only white space is the space. */
const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '')

const TEXTS = [
  'one',
  'one two  three',
  ' leading and trailing ',
  'lines\nand\ttabs\r\n',
  '漢字 🙂 ümläut',
  '{"not": "data"}',
]
const DATA = { order: 7, items: ['a b', { nested: null }], text: 'ünïcode "quoted"', z: 1, a: 2.5 }

const NAMES = { echo: 'echo', main: 'script-without-a-script' } as const
const WHO = { echo: 'echo', main: 'script without a script' } as const

const likeEcho = (service: 'echo' | 'main', rule: 'ASST-03' | 'ASST-07'): readonly ServerCheck[] => [
  {
    id: `assistants/${NAMES[service]}-streams-by-word`,
    title: `${WHO[service]} streams the text back word by word and returns it unchanged as its result`,
    rules: rule === 'ASST-03' ? ['ASST-03', 'ASST-04', 'ASST-02'] : ['ASST-07'],
    needs: [`services.${service}`],
    streams: 1,
    run: async (t) => {
      for (const text of TEXTS) {
        const { run, deltas } = await answerTo(t, t.config.services[service], { text })
        assert.deepEqual([run.state, run.result?.text], ['succeeded', text])
        // It is open whether a line break or a tab ends a word, and in which order the words arrive (D-64).
        if (/[^\S ]/.test(text)) continue
        for (const delta of deltas) assert.ok(wordsOf(delta).length <= 1, `a delta has more than one word: "${delta}"`)
        assert.deepEqual(
          deltas.flatMap(wordsOf).sort(),
          wordsOf(text).sort(),
          `the deltas of "${text}" have other words: ${JSON.stringify(deltas)}`,
        )
      }
    },
  },
  {
    id: `assistants/${NAMES[service]}-gives-data-as-json`,
    title: `${WHO[service]} answers with the JSON of data if the input has no text, and with the text if it has both`,
    rules: rule === 'ASST-03' ? ['ASST-05', 'ASST-04'] : ['ASST-07'],
    needs: [`services.${service}`],
    streams: 1,
    run: async (t) => {
      const { run } = await answerTo(t, t.config.services[service], { data: DATA })
      assert.deepEqual(JSON.parse(run.result?.text ?? ''), DATA)
      const empty = await answerTo(t, t.config.services[service], { text: '', data: DATA })
      assert.deepEqual(JSON.parse(empty.run.result?.text ?? ''), DATA)
      const both = await answerTo(t, t.config.services[service], { text: 'the text', data: DATA })
      assert.equal(both.run.result?.text, 'the text')
    },
  },
]

export const checks: readonly ServerCheck[] = [
  ...likeEcho('echo', 'ASST-03'),
  ...likeEcho('main', 'ASST-07'),
  {
    id: 'assistants/echo-obeys-no-script',
    title: 'echo ignores a script and answers with its JSON like any other data',
    rules: ['ASST-05', 'ASST-06'],
    needs: ['services.echo'],
    streams: 1,
    run: async (t) => {
      const data = { script: [{ fail: { code: 'NO', message: 'No.' } }] }
      const { run } = await answerTo(t, t.config.services.echo, { data })
      assert.equal(run.state, 'succeeded')
      assert.deepEqual(JSON.parse(run.result?.text ?? ''), data)
    },
  },
  {
    id: 'assistants/echo-of-the-longest-text',
    title: 'echo returns a text of 64 KiB unchanged',
    rules: ['ASST-04'],
    needs: ['services.echo'],
    tags: ['limit'],
    streams: 1,
    run: async (t) => {
      const text = 'word '.repeat(13_107).padEnd(65_536, '.')
      const { run } = await answerTo(t, t.config.services.echo, { text })
      assert.ok(
        run.result?.text === text,
        `result.text has ${run.result?.text?.length ?? 0} characters and is not the input text of ${text.length}`,
      )
    },
  },
  {
    id: 'assistants/script-obeys-its-script',
    title: 'script executes input.data.script, even if the input also has a text',
    rules: ['ASST-06'],
    streams: 1,
    run: async (t) => {
      const input = {
        ...t.script({ delta: 'as ' }, { delta: 'told' }, { fail: { code: 'AS_TOLD', message: 'So.' } }),
        text: 'hello',
      }
      const { run, deltas } = await answerTo(t, t.config.services.main, input)
      assert.deepEqual([run.state, run.result?.text, run.result?.error?.code], ['failed', 'as told', 'AS_TOLD'])
      assert.equal(deltas.join(''), 'as told')
    },
  },
  {
    id: 'assistants/module-is-run',
    title: 'module runs the generator that the module of the operator exports, with the input of the message',
    rules: ['ASST-11'],
    needs: ['services.module'],
    streams: 1,
    run: async (t) => {
      for (const text of ['one', 'two words']) {
        const { run, deltas } = await answerTo(t, t.config.services.module, { text })
        assert.deepEqual([run.state, run.result?.text], ['succeeded', `The module heard: ${text}`])
        assert.equal(deltas.join(''), `The module heard: ${text}`)
      }
    },
  },
]
