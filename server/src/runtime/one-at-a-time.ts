/**
 * Gives a job that runs when asked for, never twice at once: asked for while it runs, it runs once more afterwards,
 * however often it was asked. The returned promise resolves when a run that began after the call has ended; a run
 * that fails is reported and ends like any other.
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
