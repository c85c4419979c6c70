import { setImmediate as nextTurn } from 'node:timers/promises'

const MEBIBYTE = 1024 * 1024
const forever = () => new Promise(() => {})
const throws = () => {
  throw new Error('not readable')
}
const TRAPS = Object.fromEntries(Reflect.ownKeys(Reflect).map((trap) => [trap, throws]))
const kept = []
let flooded = 0

/** Values that a correct module never throws, yields or returns. */
const hostile = (name) =>
  ({
    getter: () => Object.defineProperty(new Error('x'), 'y', { enumerable: true, get: throws }),
    message: () => Object.defineProperty(new Error('x'), 'message', { get: throws }),
    proxy: () => new Proxy(new Error('x'), TRAPS),
    toJSON: () => ({ toJSON: throws, toString: throws }),
    symbol: () => Symbol('x'),
    function: () => throws,
    null: () => null,
  })[name]()

/** `input.text` is the name of an action, and an argument for some of them. */
const ACTS = {
  pid: async function* () {
    yield { delta: String(process.pid) }
  },
  keys: async function* () {
    yield { delta: JSON.stringify(Object.keys(process.env)) }
  },
  print: async function* () {
    process.stdout.write('a line of output\n')
    process.stderr.write('a line of errors\n')
    process.stdout.write('x'.repeat(100_000))
    yield { message: 'printed' }
    await forever()
  },
  wait: async function* ({ signal }) {
    yield { delta: String(process.pid) }
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { state: 'succeeded', text: 'ended by itself' }
  },
  loop: async function* () {
    yield { delta: String(process.pid) }
    for (;;);
  },
  timer: async function* () {
    yield { delta: 'so far' }
    setTimeout(() => {
      throw new Error('thrown in a timer')
    })
    await forever()
  },
  rejection: async function* () {
    yield { delta: 'so far' }
    void Promise.reject(new Error('rejected'))
    await forever()
  },
  exit: async function* () {
    yield { delta: 'so far' }
    process.exit(7)
  },
  disconnect: async function* () {
    yield { delta: 'so far' }
    await nextTurn()
    process.disconnect()
    await forever()
  },
  heap: async function* () {
    yield { delta: 'so far' }
    for (;;) {
      kept.push(Array.from({ length: 100_000 }, Math.random))
      await nextTurn()
    }
  },
  buffers: async function* () {
    yield { delta: 'so far' }
    for (let count = 0; count < 12; count += 1) kept.push(Buffer.alloc(8 * MEBIBYTE, 1))
    await forever()
  },
  flood: async function* () {
    for (;;) yield { delta: `${flooded++} ` }
  },
  flooded: async function* () {
    yield { delta: String(flooded) }
  },
  many: async function* () {
    for (let count = 0; count < 5000; count += 1) yield { delta: `${count} ` }
  },
  large: async function* () {
    yield { delta: 'x'.repeat(32 * MEBIBYTE) }
  },
  fails: async function* () {
    yield { delta: 'so far' }
    throw new TypeError('the reason', { cause: new Error('of it') })
  },
  // biome-ignore lint/correctness/useYield: it fails before it yields.
  throws: async function* (_, name) {
    throw hostile(name)
  },
  yields: async function* (_, name) {
    yield hostile(name)
  },
  // biome-ignore lint/correctness/useYield: it ends before it yields.
  returns: async function* (_, name) {
    return hostile(name)
  },
}

export default function (request) {
  const [act, ...how] = request.input.text.split(' ')
  return ACTS[act](request, ...how)
}
