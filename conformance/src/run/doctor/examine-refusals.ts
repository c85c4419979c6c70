import type { Deployment } from './deployment.ts'
import { textIn } from './deployment.ts'
import type { Finding } from './finding.ts'

/** Examines whether refusals arrive unchanged from the gateway, and whether the given key is accepted. */
export async function* examineRefusals(deployment: Deployment): AsyncGenerator<Finding> {
  const withWrongKey = await deployment.ask('GET', '/api/v1/runs/run_conformance_doctor', {
    authorization: 'Bearer conformance-doctor-no-key',
  })
  yield withWrongKey.status === 401
    ? { kind: 'good', subject: 'key', seen: 'a wrong key is refused with 401' }
    : {
        kind: 'bad',
        subject: 'key',
        seen: `a wrong key is answered with ${withWrongKey.status}`,
        remedy: 'Check that the base URL leads to the gateway, and that no proxy in front of it answers instead.',
      }
  yield withWrongKey.body === undefined
    ? {
        kind: 'bad',
        subject: 'error bodies',
        seen: `a refusal has a body that is not JSON (${withWrongKey.headers['content-type'] ?? 'no content type'})`,
        remedy: 'Stop the proxy in front from replacing error pages (nginx: proxy_intercept_errors off).',
      }
    : {
        kind: 'good',
        subject: 'error bodies',
        seen: `arrive as the gateway sends them (${textIn(withWrongKey, 'code') ?? 'JSON'})`,
      }
  if (deployment.key === undefined) return
  const known = await deployment.ask('GET', '/api/v1/runs/run_conformance_doctor')
  yield describeKey(known.status)
  if (known.status === 429 || known.status === 503)
    yield known.headers['retry-after'] === undefined
      ? {
          kind: 'bad',
          subject: 'Retry-After',
          seen: `missing on a ${known.status}`,
          remedy: 'Let the proxy pass the header on, and add it to its own answers of this status.',
        }
      : { kind: 'good', subject: 'Retry-After', seen: `${known.headers['retry-after']} on a ${known.status}` }
}

const describeKey = (status: number): Finding =>
  status === 404
    ? { kind: 'good', subject: 'your key', seen: 'is accepted; an unknown run is 404' }
    : {
        kind: 'bad',
        subject: 'your key',
        seen: `an unknown run is answered with ${status} where 404 was expected`,
        remedy:
          status === 401
            ? 'Check the key; the proxy in front must pass the Authorization header on.'
            : "Check the key's scopes and the state of its application.",
      }
