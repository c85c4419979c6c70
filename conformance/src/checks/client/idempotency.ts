import {
  type Answer,
  chunkedJson,
  closed,
  cut,
  json,
  lengthOf,
  lost,
  problem,
  respond,
  silent,
} from '../../kit/client/answers.ts'
import { WRITES } from '../../kit/client/calls.ts'
import type { ClientCheck } from '../../kit/client/client-context.ts'
import { expectEqual, expectError, expectThat } from '../../kit/client/expect.ts'
import { admission } from '../../kit/client/records.ts'
import { expectSameRequest, NUMBERED_WRITES, sweepFaults } from '../../kit/client/write-sweep.ts'

/** CANCEL-06 covers a cancel whose answer is lost. */
const replayRulesOf = (command: string): readonly [string, ...string[]] =>
  command === 'cancel_run' ? ['IDEM-05', 'CANCEL-06'] : ['IDEM-05']

const newKeys = WRITES.map(
  (each): ClientCheck => ({
    id: `idempotency/new-key-${each.command}`,
    title: `each ${each.command} has its own key, even if its content equals that of another one`,
    rules: ['IDEM-04'],
    needs: [each.command],
    run: async ({ gateway, open }) => {
      gateway.on(each.method, each.path, each.answer)
      const client = await open()
      await each.run(client)
      await Promise.all(Array.from({ length: 8 }, () => each.run(client)))
      const keys = gateway.to(each.method, each.path).map((request) => request.header('idempotency-key'))
      expectEqual('The number of keys for 9 calls', new Set(keys).size, 9)
    },
  }),
)

/** The answer, cut at each multiple of `every` bytes and at each of the last three bytes before `end`. */
const cuts = (answer: Answer, every: number, end = lengthOf(answer)): Answer[] => {
  const places = Array.from({ length: end }, (_, at) => at).filter((at) => at % every === 0 || at > end - 4)
  return places.map((at) => cut(answer, at, at % 2 ? 'reset' : 'close'))
}

const lostAnswers = NUMBERED_WRITES.map(
  (write): ClientCheck => ({
    id: `idempotency/lost-answer-${write.command}`,
    title: `after an answer to ${write.command} was lost, the same request is sent again under the same key`,
    rules: replayRulesOf(write.command),
    needs: [write.command],
    run: (context) => sweepFaults(context, write, [lost, closed]),
  }),
)

const cutAnswers = NUMBERED_WRITES.map((write): ClientCheck => {
  const whole = json(write.status, write.record('t0'))
  return {
    id: `idempotency/cut-answer-${write.command}`,
    title: `after an answer to ${write.command} that breaks off at any point, the same request is sent again`,
    rules: replayRulesOf(write.command),
    needs: [write.command],
    run: (context) => sweepFaults(context, write, cuts(whole, write.command === 'send_message' ? 1 : 9)),
  }
})

const message = NUMBERED_WRITES.find(({ command }) => command === 'send_message')
if (message === undefined) throw new Error('No numbered write is send_message.')

/** Every request arrives, but no answer reaches the client. */
const unknownOutcomes = WRITES.flatMap((write) =>
  (
    [
      ['lost', lost, 'every connection is reset'],
      ['closed', closed, 'every connection is closed'],
      ['silent', silent, 'every connection stays open'],
    ] as const
  ).map(
    ([how, answer, condition]): ClientCheck => ({
      id: `idempotency/unknown-${write.command}-${how}`,
      title: `if ${condition} without an answer, the outcome of ${write.command} is reported as unknown, not as refused`,
      rules: ['IDEM-28'],
      needs: [write.command],
      run: async ({ gateway, open }) => {
        gateway.on(write.method, write.path, answer)
        const pace = { backoff_base_ms: 5, backoff_max_ms: 20, attempt_timeout_ms: 300, timeout_ms: 1500 }
        const client = await open({ pace })
        await expectError(`The ${write.command}`, write.run(client), 'unknown')
        expectThat(gateway.to(write.method, write.path).length > 0, `The client must send the ${write.command}`)
      },
    }),
  ),
)

const html = { 'Content-Type': 'text/html; charset=utf-8' }
const PAGE = '<!doctype html><title>Sorry</title>'

/** Answers of a proxy, and damaged answers. */
const FOREIGN: readonly Answer[] = [
  respond(502, html, PAGE),
  respond(504, html, PAGE),
  respond(500, {}),
  respond(200, html, PAGE),
  respond(202, html, PAGE),
  respond(202, { 'Content-Type': 'application/json' }, ''),
  respond(202, { 'Content-Type': 'application/json' }, '{"run_id":"run_1",'),
  { writes: [Buffer.from('HTTP/9.9 wat\r\n\r\n')], ending: 'close' },
  { writes: [Buffer.from('\u0000\u0001\u0002 no HTTP at all')], ending: 'reset' },
]

/** The gateway reports that the outcome of the request is unknown. */
const unknownOutcome = problem(503, 'CAPABILITY_UNAVAILABLE', { 'Retry-After': '0' }, { outcome: 'unknown' })

const others: readonly ClientCheck[] = [
  {
    id: 'idempotency/unknown-outcome',
    title:
      'after a 503 of unknown outcome the same request is sent again, and the outcome stays unknown after a later refusal',
    rules: ['IDEM-26'],
    needs: ['send_message'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', message.path, unknownOutcome, json(202, message.record('t0')))
      const client = await open()
      expectEqual('The result', await message.run(client, 't0'), message.record('t0'))
      const [first, second] = gateway.to('POST', message.path)
      expectThat(second, 'The client must send the message again')
      expectSameRequest(first, second)

      gateway.on('POST', message.path, unknownOutcome, problem(403, 'PERMISSION_DENIED'))
      await expectError('The message that was refused later', message.run(client, 't1'), 'unknown')
    },
  },
  {
    id: 'idempotency/cut-chunked-answer',
    title: 'after a chunked answer that breaks off at any point, the same request is sent again',
    rules: ['IDEM-05'],
    needs: ['send_message'],
    run: (context) => {
      const whole = chunkedJson(message.status, message.record('t0'), 40)
      // The answer is not cut within the marker of the last chunk, because all data has arrived by then.
      return sweepFaults(context, message, cuts(whole, 5, lengthOf(whole) - '\r\n0\r\n\r\n'.length))
    },
  },
  {
    id: 'idempotency/foreign-answer',
    title: 'an answer that the gateway did not send is not an outcome: the same request is repeated',
    rules: ['IDEM-05'],
    needs: ['send_message'],
    run: (context) => sweepFaults(context, message, FOREIGN),
  },
  {
    id: 'idempotency/many-lost-answers',
    title: 'the key and the bytes stay the same across several lost answers',
    rules: ['IDEM-05'],
    needs: ['send_message'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', message.path, lost, closed, lost, json(202, message.record('t0')))
      expectEqual('The result', await message.run(await open(), 't0'), message.record('t0'))
      const [first, ...later] = gateway.to('POST', message.path)
      expectEqual('The number of repeated attempts', later.length, 3)
      for (const request of later) expectSameRequest(first, request)
    },
  },
  {
    id: 'idempotency/no-answer',
    title: 'after an attempt without an answer, the same request is repeated under the same key',
    rules: ['IDEM-05'],
    tags: ['slow'],
    needs: ['send_message'],
    run: async ({ gateway, open }) => {
      gateway.on('POST', message.path, silent, json(202, message.record('t0')))
      const pace = { backoff_base_ms: 10, backoff_max_ms: 50, attempt_timeout_ms: 500, timeout_ms: 20_000 }
      expectEqual('The result', await message.run(await open({ pace }), 't0'), message.record('t0'))
      const [first, second] = gateway.to('POST', message.path)
      expectThat(second, 'The client must send the message again')
      expectSameRequest(first, second)
    },
  },
  {
    id: 'idempotency/new-key-in-a-new-process',
    title: 'a restarted client does not reuse earlier keys',
    rules: ['IDEM-04'],
    needs: ['send_message'],
    run: async ({ gateway, openAnew }) => {
      gateway.on('POST', message.path, json(202, admission({ conversation_id: 't0' })))
      for (let starts = 0; starts < 2; starts++) {
        const client = await openAnew()
        await message.run(client, 't0')
        await client.kill()
      }
      const keys = gateway.to('POST', message.path).map((request) => request.header('idempotency-key'))
      expectEqual('The number of keys for two calls', new Set(keys).size, 2)
    },
  },
  {
    id: 'idempotency/outbox',
    title: 'if a process dies before the answer, the next process repeats its request unchanged and once',
    rules: ['IDEM-05'],
    needs: ['send_message', 'recover', 'outbox'],
    run: async ({ gateway, open, folder }) => {
      gateway.on('POST', message.path, silent, json(202, admission({ conversation_id: 't0' })))
      const outbox = await folder()
      const client = await open({ outbox })
      client.start('send_message', { conversation_id: 't0', expected_generation: 1, input: { text: 'Once, please' } })
      const first = await gateway.until('The client must send the message', () => gateway.to('POST', message.path)[0])
      await client.kill()

      const next = await open({ outbox, subject: 'Somebody else' })
      expectEqual('The number of settled requests', await next.call('recover', {}), { settled: 1 })
      expectSameRequest(
        first,
        await gateway.until('The message must be sent again', () => gateway.to('POST', message.path)[1]),
      )
      expectEqual('The number of requests settled by a second recovery', await next.call('recover', {}), { settled: 0 })
      expectEqual('The number of requests', gateway.requests.length, 2)
    },
  },
]

export const checks: readonly ClientCheck[] = [...newKeys, ...lostAnswers, ...unknownOutcomes, ...cutAnswers, ...others]
