import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { ADMISSION, BODY, connect, SUBJECT } from '../../test/support/scripted-client.ts'
import { createScriptedFetch, hang, html, json, lost, problem, type Reply } from '../../test/support/scripted-fetch.ts'
import { handleOf, KEY, ORIGIN } from '../../test/support/settings.ts'
import { collectUnhandled } from '../../test/support/unhandled.ts'
import { NotSentError, UnknownOutcomeError } from '../errors.ts'
import type { Decision } from '../transport/decision-report.ts'
import { createClient } from './create-client.ts'

describe('the three outcomes of a write', () => {
  it('are distinct values', async () => {
    const { client, timing } = connect([json(202, ADMISSION), problem('BUSY'), html(502), problem('UNAUTHENTICATED')])
    expect(await client.messages.send('conv_1', BODY).outcome()).toMatchObject({
      kind: 'admitted',
      data: ADMISSION,
      attempts: 1,
    })
    expect(await client.messages.send('conv_1', BODY).outcome()).toMatchObject({
      kind: 'refused',
      error: { code: 'BUSY' },
    })
    const unknown = await timing.drive(client.messages.send('conv_1', BODY).outcome())
    expect(unknown).toMatchObject({ kind: 'unknown', handle: { operationId: 'sendMessage' } })
  })

  it('include, if unknown, everything that another process needs, except the API key', async () => {
    const { client, timing } = connect([lost, problem('UNAUTHENTICATED')])
    const now = timing.now()
    const call = client.messages.send('conv/1', BODY, { idempotencyKey: 'mine' })
    const error: UnknownOutcomeError = await timing.drive(call.catch((reason) => reason))
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(error.handle).toEqual({
      version: 1,
      operationId: 'sendMessage',
      origin: ORIGIN,
      method: 'POST',
      path: '/api/v1/conversations/conv%2F1/messages',
      subject: SUBJECT,
      idempotencyKey: 'mine',
      body: JSON.stringify(BODY),
      status: 202,
      createdAt: new Date(now).toISOString(),
      replayBefore: new Date(now + 7 * 86_400_000).toISOString(),
    })
    expect(JSON.stringify(error)).not.toContain(KEY)
  })

  it('leave no rejection unhandled when only one view of them is used', async () => {
    const unhandled = collectUnhandled()
    const refusals = Array<Reply>(4).fill(problem('BUSY'))
    const { client } = connect(refusals)
    await client.messages.send('conv_1', BODY).outcome()
    await client.messages
      .send('conv_1', BODY)
      .withResponse()
      .catch(() => {})
    await client.messages.send('conv_1', BODY).then(null, () => {})
    await client.messages.send('conv_1', BODY).catch(() => {})
    expect(await unhandled()).toEqual([])
  })
})

describe('decisions and logs', () => {
  it('report everything that was decided and contain neither key nor subject nor body', async () => {
    const lines: string[] = []
    const decisions: Decision[] = []
    const write = (line: string) => void lines.push(line)
    const { client, timing } = connect(
      [
        lost,
        hang,
        html(502),
        problem('RATE_LIMITED', { 'retry-after': '2' }),
        problem('CAPABILITY_UNAVAILABLE', { 'retry-after': '999' }),
      ],
      {
        logger: { debug: write, info: write, warn: write, error: write },
        logLevel: 'debug',
        onDecision: (decision) => decisions.push(decision),
      },
    )
    const outcome = await timing.drive(client.messages.send('conv_1', BODY, { idempotencyKey: 'key-1' }).outcome())
    expect(outcome.kind).toBe('unknown')
    expect(decisions.map((each) => ('trouble' in each ? `${each.kind} ${each.trouble}` : each.kind))).toEqual([
      'replay connection',
      'replay timeout',
      'replay refused',
      'replay refused',
      'give-up refused',
    ])
    await expect.poll(() => lines).toHaveLength(5)
    const shown = `${lines.join()} ${JSON.stringify(decisions)} ${outcome.kind === 'unknown' && outcome.error.message}`
    for (const secret of [KEY, SUBJECT, 'private words', 'key-1']) expect(shown).not.toContain(secret)
  })

  it('a printed client or error contains neither the key nor a header', async () => {
    const { client } = connect([problem('BUSY')], { headers: { 'X-Trace': 'hidden-too' } })
    const error = await client.messages.send('conv_1', BODY).catch((reason: unknown) => reason)
    for (const shown of [inspect(client, { depth: 9, showHidden: true }), inspect(error, { depth: 9 })])
      for (const secret of [KEY, 'hidden-too']) expect(shown).not.toContain(secret)
  })

  it('a listener that throws does not affect the call', async () => {
    const onDecision = () => {
      throw new Error('of the listener')
    }
    const { client, timing } = connect([lost, json(202, ADMISSION)], { onDecision })
    expect(await timing.drive(client.messages.send('conv_1', BODY))).toEqual(ADMISSION)
  })
})

describe('a replay', () => {
  const HANDLE = handleOf('key-1')

  it('sends the same request again, for the subject of the handle, from any client [IDEM-05]', async () => {
    const { client, requests } = connect([json(202, ADMISSION, { 'idempotency-replayed': 'true' })])
    const replayed = await client.forSubject('somebody-else').replay(HANDLE, { requestId: 'again-1' }).withResponse()
    expect(replayed).toMatchObject({ data: ADMISSION, replayed: true })
    expect(requests[0]).toMatchObject({ method: 'POST', url: ORIGIN + HANDLE.path })
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
      'x-request-id': 'again-1',
      'x-service-subject': 'customer-1',
    })
    expect(await requests[0]?.text()).toBe(HANDLE.body)
  })

  it('needs no subject of the client', async () => {
    const { fetch } = createScriptedFetch(json(202, ADMISSION))
    const client = createClient({ baseUrl: ORIGIN, apiKey: KEY, fetch, timing: createManualTiming() })
    expect(await client.replay(HANDLE)).toEqual(ADMISSION)
  })

  it('for another gateway is a TypeError, and nothing is sent', async () => {
    const { client, requests } = connect([])
    const foreign = handleOf('key-1', 1_000_000, 'https://other.example.com')
    await expect(client.replay(foreign)).rejects.toThrow(
      'The handle is for https://other.example.com, the client for https://gateway.example.com.',
    )
    expect(requests).toEqual([])
  })

  it('of a damaged handle is a TypeError, and nothing is sent', async () => {
    const { client, requests } = connect([])
    const damaged: unknown = { ...HANDLE, path: 'launch' }
    await expect(client.replay(damaged as typeof HANDLE)).rejects.toThrow('path is wrong')
    expect(requests).toEqual([])
  })

  it('after the gateway has forgotten the key sends nothing, and the outcome stays unknown', async () => {
    const { client, timing, requests } = connect([])
    timing.advance(604_800_000)
    const outcome = await client.replay(HANDLE).outcome()
    expect(outcome).toMatchObject({ kind: 'unknown', handle: HANDLE })
    if (outcome.kind !== 'unknown') throw new Error('the outcome must be unknown')
    expect(outcome.error.cause).toBeInstanceOf(NotSentError)
    expect(outcome.error.message).toContain(`remembered the key until ${HANDLE.replayBefore}`)
    expect(requests).toEqual([])
  })

  it('is still sent one millisecond before that', async () => {
    const { client, timing } = connect([json(202, ADMISSION)])
    timing.advance(604_800_000 - 1)
    expect(await client.replay(HANDLE)).toEqual(ADMISSION)
  })
})
