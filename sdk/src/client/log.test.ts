import { describe, expect, it } from 'vitest'
import { collectUnhandled } from '../../test/support/unhandled.ts'
import type { Decision } from '../transport/decision-report.ts'
import { createLog, createReporter, type LogLevel } from './log.ts'

const BASE = {
  operationId: 'sendMessage',
  trouble: 'refused',
  status: 503,
  code: 'INTERNAL',
  requestId: 'req_1',
} as const

/** One of each kind; a missing kind does not compile. */
const DECISIONS: { readonly [Kind in Decision['kind']]: Extract<Decision, { kind: Kind }> } = {
  replay: { kind: 'replay', ...BASE, attempt: 1, delayMs: 250, retryAfterMs: null },
  reconnect: { kind: 'reconnect', ...BASE, attempt: 2, delayMs: 500, retryAfterMs: 500, position: 9 },
  reload: { kind: 'reload', operationId: 'streamConversationEvents', position: null },
  poll: { kind: 'poll', operationId: 'getRun', error: new Error('gk_secret') },
  'give-up': { kind: 'give-up', ...BASE, attempts: 3, elapsedMs: 9_000 },
  'outbox-not-cleared': { kind: 'outbox-not-cleared', operationId: 'sendMessage', error: new Error('gk_secret') },
  'hook-failed': { kind: 'hook-failed', operationId: 'sendMessage', error: new Error('gk_secret') },
}

const FAULT = new Error('no')
const fail = (): never => {
  throw FAULT
}
const quiet = () => {}
const QUIET = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const FAILING = { debug: fail, info: fail, warn: fail, error: fail }

const linesOf = (least: LogLevel): string[] => {
  const lines: string[] = []
  const write = (level: string) => (line: string) => void lines.push(`${level}: ${line}`)
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  for (const decision of Object.values(DECISIONS)) createLog(logger, least)(decision)
  return lines
}

describe('the log', () => {
  it('has a line for every kind of decision, without error texts', () => {
    expect(linesOf('debug')).toEqual([
      'info: conversation-gateway replay sendMessage trouble=refused status=503 code=INTERNAL requestId=req_1 attempt=1 delayMs=250',
      'debug: conversation-gateway reconnect sendMessage trouble=refused status=503 code=INTERNAL requestId=req_1 attempt=2 delayMs=500 retryAfterMs=500 position=9',
      'info: conversation-gateway reload streamConversationEvents',
      'info: conversation-gateway poll getRun',
      'warn: conversation-gateway give-up sendMessage trouble=refused status=503 code=INTERNAL requestId=req_1 attempts=3 elapsedMs=9000',
      'warn: conversation-gateway outbox-not-cleared sendMessage',
      'warn: conversation-gateway hook-failed sendMessage',
    ])
  })

  it.each([
    ['info', 6],
    ['warn', 3],
    ['error', 0],
    ['off', 0],
  ] satisfies [LogLevel, number][])('at level %s has %i of these lines', (least, count) => {
    expect(linesOf(least)).toHaveLength(count)
  })

  it('warns when the stream limit is reached', () => {
    const lines: string[] = []
    const logger = { ...QUIET, warn: (line: string) => lines.push(line) }
    const log = createLog(logger, 'warn')
    log({ ...DECISIONS.reconnect, code: 'STREAM_LIMIT', status: 429 })
    const error = Object.assign(new Error('x'), { name: 'ApiError', code: 'STREAM_LIMIT' })
    log({ ...DECISIONS.poll, error })
    log(DECISIONS.reconnect)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('code=STREAM_LIMIT')
  })

  it('keeps the order of decisions, and continues after a logger fails', async () => {
    const lines: string[] = []
    const logger = { ...FAILING, warn: (line: string) => lines.push(line) }
    const report = createReporter(logger, 'debug', undefined)
    for (const decision of Object.values(DECISIONS)) report(decision)
    await expect.poll(() => lines).toHaveLength(3)
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['give-up', 'outbox-not-cleared', 'hook-failed'])
  })

  it.each<[string, () => unknown]>([
    ['throws', fail],
    ['rejects', () => Promise.reject(FAULT)],
  ])('reports a listener that %s to the logger, and such a logger to the listener, once each', async (_name, hook) => {
    const unhandled = collectUnhandled()
    const lines: string[] = []
    const heard: Decision[] = []
    const writing = { ...QUIET, warn: (line: string) => lines.push(line) }
    const failing = { debug: hook, info: hook, warn: hook, error: hook }
    createReporter(writing, 'warn', hook)(DECISIONS['give-up'])
    createReporter(failing, 'warn', (decision) => heard.push(decision))(DECISIONS['give-up'])
    createReporter(failing, 'warn', hook)(DECISIONS['give-up'])
    createReporter(failing, 'warn', undefined)(DECISIONS['give-up'])
    createReporter(undefined, 'warn', hook)(DECISIONS['give-up'])
    await expect.poll(() => lines).toHaveLength(2)
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['give-up', 'hook-failed'])
    await expect.poll(() => heard).toHaveLength(2)
    expect(heard).toEqual([DECISIONS['give-up'], { kind: 'hook-failed', operationId: 'sendMessage', error: FAULT }])
    expect(await unhandled()).toEqual([])
  })

  it('refuses an unknown level', () => {
    expect(() => createReporter(undefined, 'verbose' as LogLevel, undefined)).toThrow(
      'logLevel must be one of debug, info, warn, error, off.',
    )
  })
})
