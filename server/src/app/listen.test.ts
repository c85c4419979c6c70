import { describe, expect, it } from 'vitest'
import { isHttpsOnly } from './listen.ts'
import { requireConfig } from './settings/config.ts'

describe('clients can reach the gateway over HTTPS only', () => {
  it.each([
    ['with a certificate', { GATEWAY_TLS_CERT: 'cert.pem', GATEWAY_TLS_KEY: 'key.pem' }, true],
    ['behind a proxy', { GATEWAY_BEHIND_PROXY: '1', GATEWAY_PUBLIC_URL: 'https://gateway.example.com' }, true],
    ['but not behind a proxy without an HTTPS public URL', { GATEWAY_BEHIND_PROXY: '1' }, false],
    [
      'but not on a proxied loopback address',
      { GATEWAY_BEHIND_PROXY: '1', GATEWAY_PUBLIC_URL: 'http://localhost:80' },
      false,
    ],
    ['but not with an HTTPS public URL alone', { GATEWAY_PUBLIC_URL: 'https://gateway.example.com' }, false],
  ])('%s', (_, environment: Record<string, string>, expected) => {
    expect(isHttpsOnly(requireConfig(environment).config)).toBe(expected)
  })
})
