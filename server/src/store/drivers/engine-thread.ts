import { Worker } from 'node:worker_threads'
import { programBeside } from '../../runtime/program-beside.ts'
import type { EngineAnswer, EngineRequest, EngineSource } from './pglite-thread.ts'

/** An opened engine in its thread. */
export interface EngineThread {
  /** Executes one round trip of the protocol. Concurrent ones are queued. */
  run(roundTrip: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
  /** Waits for pending round trips and closes the engine. */
  close(): Promise<void>
  /** Terminates the thread at once: releases files and memory, and rejects pending round trips. */
  kill(): Promise<void>
}

interface Waiting {
  readonly resolve: (answer: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/** Rejects with the engine's error if it cannot be opened. */
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
