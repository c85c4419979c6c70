import { describe, expect, it } from 'vitest'
import type { Decision } from './decision.ts'
import { createLog, type LogLevel } from './log.ts'

const BASE = {
  operationId: 'sendMessage',
  trouble: 'refused',
  status: 503,
  code: 'INTERNAL',
  requestId: 'req_1',
} as const

/** One of each kind; one that is missing here does not compile. */
const DECISIONS: { readonly [Kind in Decision['kind']]: Extract<Decision, { kind: Kind }> } = {
  replay: { kind: 'replay', ...BASE, attempt: 1, delayMs: 250, retryAfterMs: null },
  reconnect: { kind: 'reconnect', ...BASE, attempt: 2, delayMs: 500, retryAfterMs: 500, position: 9 },
  reload: { kind: 'reload', operationId: 'streamConversationEvents', position: null },
  poll: { kind: 'poll', operationId: 'getRun', error: new Error('gk_secret') },
  'give-up': { kind: 'give-up', ...BASE, attempts: 3, elapsedMs: 9_000 },
  'outbox-not-cleared': { kind: 'outbox-not-cleared', operationId: 'sendMessage', error: new Error('gk_secret') },
}

const linesOf = (least: LogLevel): string[] => {
  const lines: string[] = []
  const write = (level: string) => (line: string) => void lines.push(`${level}: ${line}`)
  const log = createLog(
    { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    least,
  )
  for (const decision of Object.values(DECISIONS)) log(decision)
  return lines
}

describe('the log', () => {
  it('has a line for every kind of decision, without the texts of errors', () => {
    expect(linesOf('debug')).toEqual([
      'info: conversation-gateway replay sendMessage trouble=refused status=503 code=INTERNAL requestId=req_1 attempt=1 delayMs=250',
      'debug: conversation-gateway reconnect sendMessage trouble=refused status=503 code=INTERNAL requestId=req_1 attempt=2 delayMs=500 retryAfterMs=500 position=9',
      'info: conversation-gateway reload streamConversationEvents',
      'info: conversation-gateway poll getRun',
      'warn: conversation-gateway give-up sendMessage trouble=refused status=503 code=INTERNAL requestId=req_1 attempts=3 elapsedMs=9000',
      'warn: conversation-gateway outbox-not-cleared sendMessage',
    ])
  })

  it.each([
    ['info', 5],
    ['warn', 2],
    ['error', 0],
    ['off', 0],
  ] satisfies [LogLevel, number][])('from the level %s on has %i of them', (least, count) => {
    expect(linesOf(least)).toHaveLength(count)
  })

  it('warns where the limit of streams stands in the way', () => {
    const lines: string[] = []
    const quiet = () => {}
    const log = createLog({ debug: quiet, info: quiet, warn: (line) => lines.push(line), error: quiet }, 'warn')
    log({ ...DECISIONS.reconnect, code: 'STREAM_LIMIT', status: 429 })
    log({ ...DECISIONS.poll, error: Object.assign(new Error('x'), { name: 'ApiError', code: 'STREAM_LIMIT' }) })
    log(DECISIONS.reconnect)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('code=STREAM_LIMIT')
  })

  it('goes nowhere without a logger', () => {
    expect(() => createLog(undefined, 'debug')(DECISIONS.replay)).not.toThrow()
  })

  it('refuses a level that there is not', () => {
    expect(() => createLog(undefined, 'verbose' as LogLevel)).toThrow(
      'logLevel must be one of debug, info, warn, error, off.',
    )
  })
})
