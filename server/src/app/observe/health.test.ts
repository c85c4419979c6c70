import { expect, it } from 'vitest'
import { probedOrigin } from './health.ts'

it.each([
  ['127.0.0.1', undefined, 'http://127.0.0.1:8787'],
  ['10.0.0.5', undefined, 'http://10.0.0.5:8787'],
  ['0.0.0.0', 'cert.pem', 'https://127.0.0.1:8787'],
  ['::', undefined, 'http://[::1]:8787'],
  ['::1', undefined, 'http://[::1]:8787'],
  ['localhost', 'cert.pem', 'https://localhost:8787'],
])('the health check of a gateway that listens on %s with the certificate %s asks %s', (host, tlsCert, origin) => {
  expect(probedOrigin({ host, port: 8787, tlsCert })).toBe(origin)
})
