import { onTestFinished } from 'vitest'
import { settle } from './manual-timing.ts'

/** Collects unhandled rejections from this call on. The returned function waits for pending ones and returns all. */
export const collectUnhandled = (): (() => Promise<readonly unknown[]>) => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', listener)
  onTestFinished(() => void process.off('unhandledRejection', listener))
  return async () => {
    for (let turn = 0; turn < 5; turn++) await settle()
    return unhandled
  }
}
