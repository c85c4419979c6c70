/**
 * Repeats one request over raw sockets, in a separate process; each connection sends it again after the answer. Start
 * it as `node attacker-process.ts`, with an AttackPlan as JSON on standard input. It prints a line when it begins, and
 * an AttackResult as JSON when it gets SIGTERM.
 */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface AttackPlan {
  readonly port: number
  readonly connections: number
  readonly method: 'GET' | 'POST'
  /** Paths that the requests take in turn. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface AttackResult {
  readonly answersByStatus: Readonly<Record<string, number>>
}

const plan: AttackPlan = JSON.parse(await text(process.stdin))
const body = Buffer.from(plan.body)
const run = randomBytes(6).toString('hex')
const headers = Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}\r\n`)
const answersByStatus: Record<string, number> = {}
let sent = 0
let ended = false

const head = (): string => {
  sent += 1
  return (
    `${plan.method} ${plan.paths[sent % plan.paths.length]} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.join('')}` +
    `Idempotency-Key: ${run}-${sent}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  )
}

const attack = (): void => {
  const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true })
  let pending = ''
  const send = (): void => {
    socket.write(head(), 'latin1')
    if (body.length > 0) socket.write(body)
  }
  socket.on('connect', send)
  socket.on('error', () => {})
  // A server may close the connection of a misbehaving client; the attacker reconnects.
  socket.on('close', () => {
    if (!ended) setTimeout(attack, 10)
  })
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    const headEnd = pending.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0)
    if (pending.length < headEnd + 4 + length) return
    const status = pending.slice(9, 12)
    answersByStatus[status] = (answersByStatus[status] ?? 0) + 1
    pending = ''
    send()
  })
}

for (let n = 0; n < plan.connections; n += 1) attack()
console.log('attacking')
process.once('SIGTERM', () => {
  ended = true
  const result: AttackResult = { answersByStatus }
  console.log(JSON.stringify(result))
  process.exit(0)
})
