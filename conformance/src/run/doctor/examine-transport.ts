import type { Deployment, DeploymentAnswer } from './deployment.ts'
import type { Finding } from './finding.ts'

/** Signatures are accepted if the clocks differ by at most 300 s. The doctor reports a difference from a tenth of it. */
const SKEW_NOTICE_SECONDS = 30
const SKEW_BAD_SECONDS = 300
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Examines TLS, reachability and clock. Returns whether further examination is possible. */
export async function* examineTransport(deployment: Deployment): AsyncGenerator<Finding, boolean> {
  const url = new URL(deployment.baseUrl)
  let answer: DeploymentAnswer
  const sentAt = Date.now()
  try {
    answer = await deployment.ask('GET', `/api/v1/runs/run_conformance_doctor`)
  } catch (error) {
    yield describeFailure(url, error)
    return false
  }
  const receivedAt = Date.now()
  yield url.protocol === 'https:'
    ? { kind: 'good', subject: 'TLS', seen: 'the certificate is valid for this name' }
    : LOOPBACK.test(url.hostname)
      ? { kind: 'good', subject: 'TLS', seen: 'plain HTTP on a loopback address, which is allowed' }
      : {
          kind: 'bad',
          subject: 'TLS',
          seen: 'plain HTTP on an address that is not loopback: keys are sent unencrypted',
          remedy: 'Put a proxy with a certificate in front, or give the gateway one of its own.',
        }
  yield describeClock(answer, sentAt, receivedAt)
  return true
}

function describeFailure(url: URL, error: unknown): Finding {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const seen = error instanceof Error ? error.message || code : String(error)
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)
  return {
    kind: 'bad',
    subject: isCertificate ? 'TLS' : 'reachability',
    seen: `${url.origin}: ${seen}`,
    remedy: isCertificate
      ? 'Install a certificate for this name with its whole chain. For your own certificate authority, pass --ca.'
      : 'Check the name, the port and the firewall, and whether the gateway is running.',
  }
}

function describeClock({ headers }: DeploymentAnswer, sentAt: number, receivedAt: number): Finding {
  const subject = 'clock'
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs))
    return {
      kind: 'unknown',
      subject,
      seen: 'answers have no Date header',
      remedy: 'Let the gateway or the proxy in front send one.',
    }
  // The header has whole seconds, and the answer was created at an unknown time between sending and receiving.
  const early = (sentAt - theirs) / 1000 - 1
  const late = (theirs - receivedAt) / 1000
  const skewSeconds = Math.max(0, early, late)
  if (skewSeconds < SKEW_NOTICE_SECONDS) return { kind: 'good', subject, seen: 'agrees with this machine' }
  return {
    kind: skewSeconds > SKEW_BAD_SECONDS ? 'bad' : 'notice',
    subject,
    seen: `differs from this machine by ${Math.round(skewSeconds)} s; signatures are refused above 300 s`,
    remedy: 'Synchronise both machines with a time server (NTP).',
  }
}
