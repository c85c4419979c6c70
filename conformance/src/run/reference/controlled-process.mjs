// Loaded into a gateway's process with --import. The suite sends it commands as lines over a loopback connection.
// `clock <ms>` sets how far the process's clock is ahead of the machine's. Timers keep their real pace, but a long
// timer fires at once if the clock moves past its time. `lose <n>` closes the connections of the next n requests with
// an Idempotency-Key instead of sending their answers. Plain JavaScript, so that any Node can load it.
import { ServerResponse } from 'node:http'
import { connect } from 'node:net'

const LONG_TIMER_MS = 60_000

const { CONFORMANCE_CONTROL_PORT: port, CONFORMANCE_CLOCK_OFFSET_MS: initial = '0' } = process.env
const RealDate = Date
let offsetMs = Number(initial)

class MovedDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offsetMs)
    else super(...values)
  }

  static now() {
    return RealDate.now() + offsetMs
  }
}
globalThis.Date = MovedDate

const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis
const longTimers = new Map()

const startTimer = (run, delayMs, ...values) => {
  if (!(delayMs >= LONG_TIMER_MS)) return realSetTimeout(run, delayMs, ...values)
  const fire = () => {
    longTimers.delete(timer)
    run(...values)
  }
  const timer = realSetTimeout(fire, delayMs)
  longTimers.set(timer, { dueMs: MovedDate.now() + delayMs, fire })
  return timer
}
const stopTimer = (timer) => {
  longTimers.delete(timer)
  realClearTimeout(timer)
}
// Keep the function's own properties, such as its variant that returns a promise.
globalThis.setTimeout = Object.defineProperties(startTimer, Object.getOwnPropertyDescriptors(realSetTimeout))
globalThis.clearTimeout = stopTimer

const moveTo = (nextOffsetMs) => {
  offsetMs = nextOffsetMs
  for (const [timer, { dueMs, fire }] of [...longTimers])
    if (dueMs <= MovedDate.now()) {
      realClearTimeout(timer)
      fire()
    }
}

let answersToLose = 0
const { end } = ServerResponse.prototype
ServerResponse.prototype.end = function (...values) {
  if (answersToLose === 0 || !('idempotency-key' in this.req.headers)) return end.apply(this, values)
  answersToLose -= 1
  this.req.socket.destroy()
  return this
}

const COMMANDS = {
  clock: moveTo,
  lose: (count) => {
    answersToLose = count
  },
}

if (port !== undefined) {
  const control = connect({ host: '127.0.0.1', port: Number(port) })
  control.setEncoding('utf8')
  let rest = ''
  control.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [command, value] = line.split(' ')
      COMMANDS[command](Number(value))
      control.write(`${line}\n`)
    }
  })
  control.on('error', () => {})
  // Exit with the suite, even if it is killed.
  control.on('close', () => process.kill(process.pid, 'SIGTERM'))
  control.unref()
}
