import { describe, expect, it } from 'vitest'
import { connect } from '../test/support/scripted-client.ts'
import { createScriptedFetch, hang, lost, problem } from '../test/support/scripted-fetch.ts'
import { HANDLE } from '../test/support/sent-request.ts'
import { ORIGIN } from '../test/support/settings.ts'
import { createWebhookSender } from './webhooks/index.ts'

/** The stack of the error that the call rejects with. */
const stackOf = (call: PromiseLike<unknown>): PromiseLike<string> =>
  call.then(
    () => 'no error',
    (error: Error) => String(error.stack),
  )

const REFUSED = () => connect([problem('NOT_FOUND')])

describe('the stack of an error', () => {
  it.each<[string, () => PromiseLike<unknown>]>([
    [
      'a read',
      function callingLine() {
        return REFUSED().client.runs.get('run_1')
      },
    ],
    [
      'a write',
      function callingLine() {
        return REFUSED().client.resources.delete('res_1')
      },
    ],
    [
      'a write under a key',
      function callingLine() {
        return REFUSED().client.runs.cancel('run_1')
      },
    ],
    [
      'a write whose outcome is unknown',
      function callingLine() {
        return connect([lost]).client.runs.cancel('run_1', { maxAttempts: 1 })
      },
    ],
    [
      'an attempt that takes too long',
      function callingLine() {
        const { client, timing } = connect([hang])
        return timing.drive(client.runs.get('run_1', { maxAttempts: 1 }).withResponse())
      },
    ],
    [
      'a page',
      function callingLine() {
        return REFUSED().client.conversations.list({ endpoint_id: 'ep_1' })
      },
    ],
    [
      'a wait',
      function callingLine() {
        return REFUSED().client.runs.wait('run_1')
      },
    ],
    [
      'a message sent with ask',
      function callingLine() {
        return REFUSED().client.ask({ conversation_id: 'conv_1', generation: 1 }, 'Hi').admission
      },
    ],
    [
      'a replay',
      function callingLine() {
        return REFUSED().client.replay(HANDLE)
      },
    ],
    [
      'a webhook',
      function callingLine() {
        const { fetch } = createScriptedFetch(problem('NOT_FOUND'))
        return createWebhookSender({ url: `${ORIGIN}/webhooks/wh_1`, secret: 's', fetch }).send({})
      },
    ],
  ])('has the line of the program that called %s, once', async (_name, call) => {
    const stack = await stackOf(call())
    expect(stack).toMatch(/^(ApiError|UnknownOutcomeError|TimeoutError): /)
    expect(stack.match(/callingLine/g)).toHaveLength(1)
  })

  it('is unchanged for errors that the client did not create, such as the reason of an abort', async () => {
    const reason = new Error('the user left')
    const { stack } = reason
    await REFUSED()
      .client.runs.get('run_1', { signal: AbortSignal.abort(reason) })
      .catch(() => {})
    expect(reason.stack).toBe(stack)
  })
})
