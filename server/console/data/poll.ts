import { signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { signOut } from '../session.ts'
import { describeProblem, isUnauthenticated, isUnreachable } from './describe-error.ts'

export interface Polled<T> {
  /** The latest answer; undefined before the first. It stays while later ones fail. */
  readonly data: T | undefined
  /** The error of the latest request, as text; null if it succeeded or the gateway did not answer. */
  readonly error: string | null
  /** Requests the data again now. */
  readonly refresh: () => void
}

/** Since when the gateway has not answered; null while it answers. */
export const lostSince = signal<number | null>(null)

/** The longest delay before the next request after an error. */
const RETRY_MS = 1000

/**
 * Calls `read`, and again `everyMs` after each call (sooner after an error) until stopped, but never while the page is
 * hidden. `readNow` makes it read at once. If the gateway rejects the token, polling ends and the operator is signed
 * out.
 */
export const startPolling = (
  read: (signal: AbortSignal) => Promise<void>,
  everyMs: () => number,
): { readNow: () => void; stop: () => void } => {
  const stopping = new AbortController()
  // `readNow` during a read causes another read, because the current one may not see the latest change.
  let isRequested = false
  let wake = (): void => {}
  const readNow = (): void => {
    isRequested = true
    wake()
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let waitMs = everyMs()
      isRequested = false
      try {
        if (!document.hidden) await read(stopping.signal)
        lostSince.value = null
      } catch (error) {
        if (stopping.signal.aborted) return
        if (isUnauthenticated(error)) return signOut('The gateway no longer accepts the token.')
        if (isUnreachable(error)) lostSince.value ??= Date.now()
        waitMs = Math.min(waitMs, RETRY_MS)
      }
      if (isRequested) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const onVisible = (): void => {
    if (!document.hidden) readNow()
  }
  document.addEventListener('visibilitychange', onVisible)
  void loop()
  return {
    readNow,
    stop: () => {
      stopping.abort()
      document.removeEventListener('visibilitychange', onVisible)
      wake()
    },
  }
}

/** Polls with the latest `read`, as long as the component is shown; another `key` starts anew. */
export const usePolling = (
  key: string,
  read: (signal: AbortSignal) => Promise<void>,
  everyMs: number,
): Pick<Polled<never>, 'error' | 'refresh'> => {
  const [error, setError] = useState<string | null>(null)
  const latest = useRef({ read, everyMs })
  latest.current = { read, everyMs }
  const readNow = useRef<() => void>(() => {})
  useEffect(() => {
    setError(null)
    const poll = startPolling(
      async (signal) => {
        try {
          await latest.current.read(signal)
          if (!signal.aborted) setError(null)
        } catch (failure) {
          if (!signal.aborted) setError(describeProblem(failure))
          throw failure
        }
      },
      () => latest.current.everyMs,
    )
    readNow.current = poll.readNow
    return poll.stop
  }, [key])
  const refresh = useCallback(() => readNow.current(), [])
  return { error, refresh }
}

/** The answer of `read`, requested again every `everyMs`. Another `key` is another query: it starts without data. */
export const usePolled = <T>(key: string, read: (signal: AbortSignal) => Promise<T>, everyMs: number): Polled<T> => {
  const [answer, setAnswer] = useState<{ key: string; data: T } | null>(null)
  const readAnswer = async (signal: AbortSignal): Promise<void> => {
    const data = await read(signal)
    if (!signal.aborted) setAnswer({ key, data })
  }
  const polling = usePolling(key, readAnswer, everyMs)
  return { data: answer?.key === key ? answer.data : undefined, ...polling }
}
