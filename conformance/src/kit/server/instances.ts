import { addPacing, NO_PACING, type System } from '../system.ts'

/**
 * Gives each check with `alone: 'all'` its own instance of the system, at most `most` at a time. Instances are started
 * on demand and reused.
 */
export function withInstances<Context>(
  system: System<Context>,
  most: number,
  startInstance: () => Promise<System<Context>>,
): System<Context> {
  const started: Promise<System<Context>>[] = []
  const running: System<Context>[] = []
  const idle: System<Context>[] = []
  const take = (): Promise<System<Context>> => {
    const free = idle.pop()
    if (free !== undefined) return Promise.resolve(free)
    const next = startInstance().then((instance) => {
      running.push(instance)
      return instance
    })
    started.push(next)
    return next
  }
  return {
    ...system,
    instances: most,
    open: async (check) => {
      if (check.alone !== 'all') return system.open(check)
      const instance = await take()
      const release = (): unknown => idle.push(instance)
      const session = await instance.open(check).catch((error: unknown) => {
        release()
        throw error
      })
      return { ...session, close: () => session.close().finally(release) }
    },
    pacing: () => [system, ...running].map((one) => one.pacing?.() ?? NO_PACING).reduce(addPacing),
    stop: async () => {
      await Promise.allSettled(started)
      await Promise.all([system, ...running].map((one) => one.stop()))
    },
  }
}
