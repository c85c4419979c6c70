const BLOCKED_MS = 15_000

/** Blocks its event loop without using the CPU, which every process of the machine shares. */
export default async function* () {
  yield { delta: 'blocked' }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS)
}
