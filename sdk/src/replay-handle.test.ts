import { describe, expect, it } from 'vitest'
import { handleOf } from '../test/support/settings.ts'
import { checkReplayHandle } from './replay-handle.ts'

const HANDLE = handleOf('key-1')

describe('a replay handle', () => {
  it('survives JSON', () => {
    expect(checkReplayHandle(JSON.parse(JSON.stringify(HANDLE)))).toEqual(HANDLE)
  })

  it.each([
    ['nothing', null, 'version'],
    ['a text', 'sendMessage', 'version'],
    ['an older version', { ...HANDLE, version: 0 }, 'version'],
    ['a missing body', { ...HANDLE, body: undefined }, 'body'],
    ['a body that is no object', { ...HANDLE, body: '[]' }, 'body'],
    ['no operation', { ...HANDLE, operationId: '' }, 'operationId'],
    ['another method', { ...HANDLE, method: 'DELETE' }, 'method'],
    ['a foreign path', { ...HANDLE, path: '@evil.example.com/' }, 'path'],
    ['no time limit', { ...HANDLE, replayBefore: 'never' }, 'replayBefore'],
    ['a key that breaks the header', { ...HANDLE, idempotencyKey: 'a\r\nb' }, 'idempotencyKey'],
  ])('with %s is refused', (_name, value, message) => {
    expect(() => checkReplayHandle(value)).toThrow(TypeError)
    expect(() => checkReplayHandle(value)).toThrow(`${message} is wrong`)
  })
})
