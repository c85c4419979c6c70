import { describe, expect, it } from 'vitest'
import { connect } from '../../test/support/speaking-gateway.ts'
import { createWebhookSender } from '../webhooks/webhook-sender.ts'
import { CALL_OPTIONS, checkNames, resolveOptions } from './options.ts'

describe('an unknown option', () => {
  it.each([
    ['timeout', 'timeoutMs'],
    ['maxRetries', 'maxAttempts'],
    ['baseURL', 'baseUrl'],
    ['apikey', 'apiKey'],
    ['onDecisions', 'onDecision'],
    ['log', 'logger'],
  ])('%s is refused with the nearest one: %s', (name, nearest) => {
    const options = { baseUrl: 'https://gateway.example.com', apiKey: 'gk_1', [name]: 1 }
    expect(() => resolveOptions(options)).toThrow(new TypeError(`${name} is not an option; did you mean ${nearest}?`))
  })

  it('is refused for calls as well, and known ones are accepted', () => {
    expect(() => checkNames({ idempotencykey: 'a' }, CALL_OPTIONS)).toThrow('did you mean idempotencyKey?')
    expect(() => checkNames({ signal: undefined, maxAttempts: 1 }, CALL_OPTIONS)).not.toThrow()
    expect(() => checkNames({ toString: 1 }, CALL_OPTIONS)).toThrow('toString is not an option')
  })

  it('is refused wherever options are taken, and nothing is sent', async () => {
    const { client, requests } = connect([])
    const bytes = new Uint8Array(1)
    // JavaScript callers can pass this; TypeScript rejects it.
    const wrong: object = { signl: new AbortController().signal }
    const named = 'signl is not an option; did you mean signal?'
    expect(() => client.conversations.watch('conv_1', wrong)).toThrow(named)
    expect(() => client.conversations.events('conv_1', wrong)).toThrow(named)
    await expect(client.runs.wait('run_1', wrong)).rejects.toThrow(named)
    await expect(client.follow('run_1', wrong).runId()).rejects.toThrow(named)
    await expect(client.resources.upload(bytes, { filename: 'a', ...wrong })).rejects.toThrow(named)
    const upper: object = { fileName: 'a' }
    await expect(client.resources.upload(bytes, upper)).rejects.toThrow('did you mean filename?')
    const sender = createWebhookSender({ url: 'https://gateway.example.com/api/v1/webhooks/wh_1', secret: 's' })
    expect(() => sender.send({ type: 'a' }, wrong)).toThrow(named)
    const options = { url: 'https://gateway.example.com/api/v1/webhooks/wh_1', secret: 's', maxRetries: 0 }
    expect(() => createWebhookSender(options)).toThrow('maxRetries is not an option; did you mean maxAttempts?')
    expect(requests).toEqual([])
  })
})
