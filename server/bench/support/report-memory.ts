/**
 * Loaded into a gateway before its program: at SIGUSR2 it collects garbage and prints a MemoryReport as a line of JSON.
 */
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

export interface MemoryReport {
  readonly event: 'memory'
  /** Of the main thread, without garbage. */
  readonly heapBytes: number
  /** Buffers and other memory of JavaScript objects outside the heap. */
  readonly externalBytes: number
  /** Of the whole process, the thread of the embedded database included. */
  readonly residentBytes: number
  /**
   * The resident part of the native heap. Its allocator keeps free memory, so this only grows, to the peak of usage.
   * Linux only.
   */
  readonly nativeHeapBytes: number
}

const readNativeHeapBytes = (): number => {
  const [, kibibytes] = /\[heap\]\n(?:.*\n)*?Rss:\s+(\d+)/.exec(readFileSync('/proc/self/smaps', 'utf8')) ?? []
  return Number(kibibytes ?? Number.NaN) * 1024
}

setFlagsFromString('--expose-gc')
// The flag affects only contexts that are created after it is set.
const collectGarbage: () => void = runInNewContext('gc')

if (isMainThread)
  process.on('SIGUSR2', () => {
    collectGarbage()
    // The second collection frees the objects that the first one has finalised.
    collectGarbage()
    const { heapUsed: heapBytes, external: externalBytes, rss: residentBytes } = process.memoryUsage()
    const nativeHeapBytes = readNativeHeapBytes()
    const report: MemoryReport = { event: 'memory', heapBytes, externalBytes, residentBytes, nativeHeapBytes }
    process.stdout.write(`${JSON.stringify(report)}\n`)
  })
