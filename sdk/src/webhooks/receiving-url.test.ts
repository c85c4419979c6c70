import { expect, it } from 'vitest'
import { createWebhookSender, parseReceivingUrl } from './webhook-sender.ts'

it.each([
  'https://gateway.example.com/api/v1/webhooks/wh_1',
  'https://gateway.example.com:8443/behind/a/prefix/api/v1/webhooks/wh_1',
  'http://localhost:8080/api/v1/webhooks/wh_1',
  'http://127.0.0.1:8080/api/v1/webhooks/wh_1',
  'http://[::1]:8080/api/v1/webhooks/wh_1',
])('accepts %s unchanged', (url) => {
  expect(parseReceivingUrl(url)).toBe(url)
})

it.each([
  ['http://gateway.example.com/api/v1/webhooks/wh_1', /must use https/],
  ['http://127.0.0.1.example.com/api/v1/webhooks/wh_1', /must use https/],
  ['https://gateway.example.com', /only the origin/],
  ['https://gateway.example.com/', /only the origin/],
  ['https://user:pass@gateway.example.com/api/v1/webhooks/wh_1', /must not contain a user/],
  ['https://gateway.example.com/api/v1/webhooks/wh_1?a=1', /query/],
  ['https://gateway.example.com/api/v1/webhooks/wh_1#a', /fragment/],
  ['ftp://gateway.example.com/api/v1/webhooks/wh_1', /whole receiving URL/],
  ['/api/v1/webhooks/wh_1', /whole receiving URL/],
  ['', /whole receiving URL/],
])('refuses %j', (url, message) => {
  expect(() => parseReceivingUrl(url)).toThrow(message)
})

it('throws for a missing secret or an invalid duration', () => {
  const url = 'https://gateway.example.com/api/v1/webhooks/wh_1'
  expect(() => createWebhookSender({ url, secret: '' })).toThrow(/secret is empty/)
  expect(() => createWebhookSender({ url, secret: 's', timeoutMs: 0 })).toThrow(/timeoutMs/)
  expect(() => createWebhookSender({ url, secret: 's', attemptTimeoutMs: Number.NaN })).toThrow(/attemptTimeoutMs/)
})
