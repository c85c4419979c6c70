/**
 * Loaded into a gateway before its program: at SIGUSR2 it collects garbage and prints a MemoryReport as a line of JSON.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

export interface MemoryReport {
  readonly event: 'memory'
  /** Of the main thread, without garbage. */
  readonly heapBytes: number
  /** Of the whole process, the thread of the embedded database included. */
  readonly residentBytes: number
  /** Resident without the pages of the heap that are free: V8 gives those back when it is idle, or uses them again. */
  readonly keptBytes: number
}

setFlagsFromString('--expose-gc')
// The flag changes contexts that are made from now on.
const collectGarbage: () => void = runInNewContext('gc')

if (isMainThread)
  process.on('SIGUSR2', () => {
    collectGarbage()
    // What the first collection has finalised goes with the second.
    collectGarbage()
    const { heapUsed: heapBytes, heapTotal, rss: residentBytes } = process.memoryUsage()
    const keptBytes = residentBytes - heapTotal + heapBytes
    const report: MemoryReport = { event: 'memory', heapBytes, residentBytes, keptBytes }
    process.stdout.write(`${JSON.stringify(report)}\n`)
  })
