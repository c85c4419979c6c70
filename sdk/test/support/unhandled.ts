import { onTestFinished } from 'vitest'
import { settle } from './manual-timing.ts'

/** Collects unhandled rejections of the test from now on; the returned function waits for those of before and gives them all. */
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
