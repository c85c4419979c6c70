import { parseArgs } from 'node:util'
import { UsageError } from '../kit/config/usage-error.ts'
import { examine } from '../run/doctor/examine.ts'
import type { Finding } from '../run/doctor/finding.ts'
import { parseOrigin } from './parse-origin.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `Usage: gateway-conformance doctor <origin> [--key <key> --service <id>] [options]

Examines a deployment from outside and suggests a fix for each problem: TLS, clock, answers of the gateway, compression,
buffering, pings and resume of event streams, stream limit. Creates one conversation with one message, and changes nothing
else.

  <origin>             the origin of the deployment, without /api/v1
  --key <key>          an application key with all four scopes; also GATEWAY_KEY. Without it, only what needs no key is examined
  --service <id>       a published service of the application
  --subject <subject>  the subject of its requests. Default: conformance-doctor
  --ca <file>          PEM of the certificate authority to trust instead of the default ones
  --wait <seconds>     how long to wait for a ping. Default 20
  --json               prints the findings as JSON
  -h, --help           prints this text

Exit codes: 0 no problem found; 1 a problem was found; 2 wrong usage.
`

const MARKS: Readonly<Record<Finding['kind'], string>> = { good: 'ok', notice: 'note', bad: 'BAD', unknown: '?' }

/** Runs `gateway-conformance doctor`. @throws {UsageError} wrong usage. */
export async function runDoctorCommand(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      key: { type: 'string', ...(process.env.GATEWAY_KEY === undefined ? {} : { default: process.env.GATEWAY_KEY }) },
      subject: { type: 'string', default: 'conformance-doctor' },
      service: { type: 'string' },
      ca: { type: 'string' },
      wait: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    terminal.print(USAGE)
    return 0
  }
  const { key, service, subject, ca } = values
  const url = parseOrigin(positionals)
  if (url === null) throw new UsageError(`doctor requires one origin, such as https://gateway.example.com.\n\n${USAGE}`)
  const waitSeconds = Number(values.wait)
  if (!(waitSeconds > 0)) throw new UsageError(`--wait must be a positive number of seconds, not ${values.wait}.`)
  const findings: Finding[] = []
  for await (const finding of examine({
    baseUrl: url.origin,
    subject,
    waitMs: waitSeconds * 1000,
    ...(key === undefined ? {} : { key }),
    ...(service === undefined ? {} : { endpointId: service }),
    ...(ca === undefined ? {} : { caFile: ca }),
  })) {
    findings.push(finding)
    if (!values.json) terminal.print(describe(finding))
  }
  if (values.json) terminal.print(`${JSON.stringify(findings, null, 2)}\n`)
  return findings.some(({ kind }) => kind === 'bad') ? 1 : 0
}

const describe = ({ kind, subject, seen, remedy }: Finding): string =>
  `${MARKS[kind].padEnd(5)} ${subject}: ${seen}\n${remedy === undefined ? '' : `      ${remedy}\n`}`
