import { describe, expect, it } from 'vitest'
import { checkNames } from './option-names.ts'
import { CALL_OPTIONS, resolveOptions } from './options.ts'

describe('an option that nobody knows', () => {
  it.each([
    ['timeout', 'timeoutMs'],
    ['maxRetries', 'maxAttempts'],
    ['baseURL', 'baseUrl'],
    ['apikey', 'apiKey'],
    ['onDecisions', 'onDecision'],
    ['log', 'logger'],
  ])('%s is refused with the nearest one: %s', (name, nearest) => {
    const options = { baseUrl: 'https://gateway.example.com', apiKey: 'gk_1', [name]: 1 }
    expect(() => resolveOptions(options)).toThrow(new TypeError(`${name} is no option; did you mean ${nearest}?`))
  })

  it('is refused for calls as well, and those that are known are not', () => {
    expect(() => checkNames({ idempotencykey: 'a' }, CALL_OPTIONS)).toThrow('did you mean idempotencyKey?')
    expect(() => checkNames({ signal: undefined, maxAttempts: 1 }, CALL_OPTIONS)).not.toThrow()
    expect(() => checkNames({ toString: 1 }, CALL_OPTIONS)).toThrow('toString is no option')
  })
})
