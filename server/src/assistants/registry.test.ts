import { describe, expect, it } from 'vitest'
import { createManualTimers } from '../../test/support/manual-timers.ts'
import { play } from '../../test/support/play-assistant.ts'
import { createAssistants } from './registry.ts'

const assistants = createAssistants({
  environment: { EMPTY_KEY: ' ', BROKEN_KEY: 'two\nlines', GATEWAY_SECRET_KEY: 'secret' },
  moduleAssistant: (path) =>
    async function* () {
      yield { delta: path }
      return undefined
    },
  httpAssistant: ({ url }) =>
    async function* () {
      yield { delta: url }
      return undefined
    },
  timers: createManualTimers(),
})

describe('the assistant of a published version', () => {
  it.each([
    [{ type: 'echo' }, [{ delta: 'input' }]],
    [{ type: 'script' }, [{ delta: 'input' }]],
    [{ type: 'module', path: 'named.js' }, [{ delta: 'named.js' }]],
    [{ type: 'http', url: 'http://127.0.0.1:1/run' }, [{ delta: 'http://127.0.0.1:1/run' }]],
  ])('is made from %j', async (config, steps) => {
    expect((await play(assistants(config))).steps).toEqual(steps)
  })
})

describe('a faulty configuration fails the run and says why', () => {
  const openai = { type: 'openai', base_url: 'http://127.0.0.1:1/v1', model: 'm' }
  it.each([
    [null, /misconfigured/],
    [{ type: 'unheard-of' }, /misconfigured/],
    [{ ...openai, base_url: 'somewhere' }, /misconfigured/],
    [{ ...openai, api_key_env: 'UNSET_KEY' }, /The environment variable UNSET_KEY does not contain a valid key/],
    [{ ...openai, api_key_env: 'EMPTY_KEY' }, /The environment variable EMPTY_KEY does not contain a valid key/],
    [{ ...openai, api_key_env: 'BROKEN_KEY' }, /The environment variable BROKEN_KEY does not contain a valid key/],
    ...[
      'GATEWAY_SECRET_KEY',
      'SERVICE_GATEWAY_CALLBACK_HOSTS',
      'DATABASE_URL',
      'PGPASSWORD',
      'gateway_admin_token',
    ].map((api_key_env): [unknown, RegExp] => [{ ...openai, api_key_env }, /names a variable of the gateway itself/]),
  ])('%j', async (config, message) => {
    await expect(play(assistants(config))).rejects.toThrow(message)
  })
})
