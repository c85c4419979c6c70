import { parseArgs } from 'node:util'
import { UsageError } from '../kit/config/usage-error.ts'
import type { Fault } from '../run/fault-proxy/index.ts'
import { startFaultProxy } from '../run/fault-proxy/index.ts'
import type { Terminal } from './terminal.ts'

/** The faults available on the command line, each with a description. */
const FAULTS = {
  'drop-request': {
    fault: () => ({ kind: 'drop-request' }),
    text: 'the request never arrives; the connection is reset',
  },
  'lose-answer': { fault: () => ({ kind: 'lose-answer' }), text: 'the request takes effect, but its answer is lost' },
  'deliver-twice': { fault: () => ({ kind: 'deliver-twice' }), text: 'the request arrives twice' },
  'cut-answer': {
    fault: (at) => ({ kind: 'cut-answer', atByte: at }),
    text: '=<byte>: the connection breaks after this many bytes',
  },
  'cut-stream': {
    fault: (after) => ({ kind: 'cut-stream', afterEvents: after }),
    text: '=<events>: an event stream breaks after this many events',
  },
  'half-open': {
    fault: (after) => ({ kind: 'half-open', afterEvents: after }),
    text: '=<events>: an event stream stays open but sends nothing after this many events',
  },
  status: {
    fault: (status) => ({ kind: 'answer', status, headers: { 'retry-after': '1' } }),
    text: '=<status>: this status with Retry-After: 1; the request does not reach the gateway',
  },
  chunk: {
    fault: (every) => ({ kind: 'chunk', every }),
    text: '=<bytes>: answers arrive in pieces of this many bytes',
  },
  gzip: { fault: () => ({ kind: 'gzip' }), text: 'answers are compressed' },
  'crlf-lines': {
    fault: () => ({ kind: 'rewrite-line-endings', to: 'crlf' }),
    text: 'lines of event streams end with CRLF',
  },
} as const satisfies Record<string, { fault: (value: number) => Fault; text: string }>

const USAGE = `Usage: gateway-conformance fault-proxy --target <origin> [--fault <fault>]... [--path <regex>] [--every <n>]

Starts a proxy on loopback in front of a gateway, prints its origin, and applies the faults to matching requests until Ctrl-C.

  --target <origin>   the gateway: http://127.0.0.1:8787
  --fault <fault>     repeatable; each matching request gets the next of several faults:
${Object.entries(FAULTS)
  .map(([name, { text }]) => `                        ${name}${text.startsWith('=') ? '' : ': '}${text}`)
  .join('\n')}
  --path <regex>      only requests whose path matches. Default: every request
  --every <n>         only every nth of these requests. Default 1
  --help              prints this text
`

const REFILL_MS = 50
/** Minimum number of queued rules after a refill, so that the queue does not run empty before the next one. */
const REQUESTS_AHEAD = 1000

/** Runs `gateway-conformance fault-proxy` until it is interrupted. @throws {UsageError} wrong usage. */
export async function runFaultProxyCommand(args: readonly string[], terminal: Terminal): Promise<0> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
      path: { type: 'string' },
      every: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    terminal.print(USAGE)
    return 0
  }
  const { target } = values
  if (target === undefined || !URL.canParse(target) || new URL(target).protocol !== 'http:')
    throw new UsageError(`--target must be an http origin such as http://127.0.0.1:8787.\n\n${USAGE}`)
  const every = toNumber('--every', values.every, 1)
  const faults = values.fault.map(parseFault)
  const proxy = await startFaultProxy({ target: new URL(target).origin })
  const pass: Fault = { kind: 'pass' }
  const path = values.path === undefined ? {} : { path: toPattern(values.path) }
  const injectAhead = (): void => {
    while (faults.length > 0 && proxy.waitingFaults() < REQUESTS_AHEAD)
      for (const fault of faults) {
        for (let passed = 1; passed < every; passed += 1) proxy.inject({ ...path, fault: pass })
        proxy.inject({ ...path, fault })
      }
  }
  injectAhead()
  terminal.print(`${proxy.origin}\n`)
  const timer = setInterval(() => {
    for (const { method, path: asked, faults: done } of proxy.exchanges())
      terminal.log(`${method} ${asked} ${done.map(({ kind }) => kind).join(', ') || 'pass'}\n`)
    proxy.clearExchanges()
    injectAhead()
  }, REFILL_MS)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  clearInterval(timer)
  await proxy.close()
  return 0
}

function parseFault(text: string): Fault {
  const [name = '', value] = text.split('=')
  const found = Object.entries(FAULTS).find(([known]) => known === name)
  if (found === undefined)
    throw new UsageError(`There is no fault ${name}. Choose one of ${Object.keys(FAULTS).join(', ')}.`)
  const [, { fault, text: explanation }] = found
  const takesNumber = explanation.startsWith('=')
  if (takesNumber !== (value !== undefined))
    throw new UsageError(`--fault ${name} ${takesNumber ? 'needs a number' : 'takes no value'}: ${name}${explanation}`)
  return fault(takesNumber ? toNumber(`--fault ${name}`, value ?? '', 0) : 0)
}

function toNumber(option: string, text: string, minimum: number): number {
  const value = Number(text)
  if (text === '' || !Number.isInteger(value) || value < minimum)
    throw new UsageError(`${option} must be an integer from ${minimum}, not ${text}.`)
  return value
}

function toPattern(text: string): RegExp {
  try {
    return new RegExp(text)
  } catch {
    throw new UsageError(`--path is not a regular expression: ${text}`)
  }
}
