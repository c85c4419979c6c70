/**
 * Wraps a job so that it never runs concurrently: any number of calls during a run cause one more run afterwards. The
 * returned promise resolves when a run that began after the call has ended. A failed run is reported and ends like any
 * other.
 */
export const oneAtATime = (job: () => Promise<void>, onError: (error: unknown) => void): (() => Promise<void>) => {
  let running: Promise<void> | null = null
  let following: Promise<void> | null = null
  const run = async (): Promise<void> => {
    try {
      await job()
    } catch (error) {
      onError(error)
    }
    running = null
  }
  const request = (): Promise<void> => {
    if (running === null) {
      running = run()
      return running
    }
    following ??= running.then(() => {
      following = null
      return request()
    })
    return following
  }
  return request
}
