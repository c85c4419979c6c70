import { useEffect, useState } from 'preact/hooks'
import { describeError } from './describe-error.ts'

/** The answer of `read`, requested once per key, because the audit log records each read. A null key requests none. */
export const useOnce = <T>(
  key: string | null,
  read: (signal: AbortSignal) => Promise<T>,
): { readonly data: T | undefined; readonly error: string | null } => {
  const [answer, setAnswer] = useState<{ key: string; data?: T; error: string | null } | null>(null)
  useEffect(() => {
    if (key === null) return
    const leaving = new AbortController()
    read(leaving.signal).then(
      (data) => !leaving.signal.aborted && setAnswer({ key, data, error: null }),
      (error: unknown) => !leaving.signal.aborted && setAnswer({ key, error: describeError(error) }),
    )
    return () => leaving.abort()
  }, [key])
  const current = answer !== null && answer.key === key ? answer : null
  return { data: current?.data, error: current?.error ?? null }
}
