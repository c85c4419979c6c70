import { Worker } from 'node:worker_threads'
import { programBeside } from '../../runtime/program-beside.ts'
import type { EngineAnswer, EngineRequest, EngineSource } from './pglite-thread.ts'

/** An opened engine in its thread. */
export interface EngineThread {
  /** Carries out one round trip of the protocol. Those that are issued at once follow one another. */
  run(roundTrip: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
  /** Lets what was issued end and closes the engine. */
  close(): Promise<void>
  /** Ends the thread in the middle of what it does: files and memory are given back, what was issued is rejected. */
  kill(): Promise<void>
}

interface Waiting {
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/** Rejects with what the engine says when it cannot be opened. */
export const openEngineThread = async (source: EngineSource): Promise<EngineThread> => {
  const worker = new Worker(programBeside('pglite-thread', import.meta.url), { workerData: source })
  const waiting: Waiting[] = []
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let fault = new Error('the thread of the embedded database has ended')
  let isOver = false

  worker.on('message', (answer: EngineAnswer) => {
    if (answer === 'open') opened.resolve()
    else waiting.shift()?.resolve(answer)
  })
  worker.on('error', (error) => {
    fault = error instanceof Error ? error : new Error(String(error))
  })
  worker.on('exit', () => {
    isOver = true
    opened.reject(fault)
    for (const { reject } of waiting.splice(0)) reject(fault)
    ended.resolve()
  })
  await opened.promise

  return {
    run: (roundTrip) =>
      new Promise((resolve, reject) => {
        if (isOver) return reject(fault)
        waiting.push({ resolve, reject })
        worker.postMessage(roundTrip satisfies EngineRequest, [roundTrip.buffer])
      }),
    close: () => {
      worker.postMessage(null satisfies EngineRequest)
      return ended.promise
    },
    kill: async () => {
      await worker.terminate()
    },
  }
}
