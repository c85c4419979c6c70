/**
 * Loaded into a gateway before its program: at SIGUSR2 it collects garbage and prints a MemoryReport as a line of JSON.
 */
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

export interface MemoryReport {
  readonly event: 'memory'
  /** Of the main thread, without garbage. */
  readonly heapBytes: number
  /** Of the whole process, the thread of the embedded database included. */
  readonly residentBytes: number
}

setFlagsFromString('--expose-gc')

if (isMainThread)
  process.on('SIGUSR2', async () => {
    // What the first collection finds to be finalised goes with the second.
    await globalThis.gc?.({ type: 'major', execution: 'async' })
    await globalThis.gc?.({ type: 'major', execution: 'async' })
    const { heapUsed: heapBytes, rss: residentBytes } = process.memoryUsage()
    process.stdout.write(`${JSON.stringify({ event: 'memory', heapBytes, residentBytes } satisfies MemoryReport)}\n`)
  })
