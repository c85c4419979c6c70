import { describe, expect, it } from 'vitest'
import { createSchedule, type Scheduled } from './schedule.ts'

/** Starts tasks that run until they are released, and lists the running ones. */
const start = (schedule: ReturnType<typeof createSchedule>, checks: Readonly<Record<string, Scheduled>>) => {
  const running = new Map<string, () => void>()
  const done = Object.entries(checks).map(([name, check]) =>
    schedule.run(check, () => new Promise<void>((resolve) => running.set(name, resolve))),
  )
  const names = async (): Promise<string[]> => {
    await new Promise((resolve) => setImmediate(resolve))
    return [...running.keys()]
  }
  return {
    names,
    end: async (name: string) => {
      running.get(name)?.()
      running.delete(name)
      return names()
    },
    done: () => Promise.all(done),
  }
}

describe('a schedule', () => {
  it('runs checks in order, up to the maximum number at once', async () => {
    const tasks = start(createSchedule({ concurrency: 2, streams: 9, instances: 0 }), { a: {}, b: {}, c: {} })
    expect(await tasks.names()).toEqual(['a', 'b'])
    expect(await tasks.end('b')).toEqual(['a', 'c'])
  })

  it('runs checks with the same `alone` value in sequence, in parallel with other checks', async () => {
    const device = { alone: 'device' }
    const tasks = start(createSchedule({ concurrency: 9, streams: 9, instances: 0 }), { a: device, b: device, c: {} })
    expect(await tasks.names()).toEqual(['a', 'c'])
    expect(await tasks.end('a')).toEqual(['c', 'b'])
  })

  it('runs checks that need the whole system one by one after all others', async () => {
    const all = { alone: 'all' }
    const tasks = start(createSchedule({ concurrency: 9, streams: 9, instances: 0 }), { x: all, a: {}, y: all, b: {} })
    expect(await tasks.names()).toEqual(['a', 'b'])
    expect(await tasks.end('a')).toEqual(['b'])
    expect(await tasks.end('b')).toEqual(['x'])
    expect(await tasks.end('x')).toEqual(['y'])
    await tasks.end('y')
    await tasks.done()
  })

  it('runs checks that need the whole system on the available instances, in parallel with the others', async () => {
    const all = { alone: 'all', streams: 9 }
    const schedule = createSchedule({ concurrency: 1, streams: 1, instances: 2 })
    const tasks = start(schedule, { a: {}, x: all, y: all, z: all, b: { streams: 1 } })
    expect(await tasks.names()).toEqual(['a', 'x', 'y'])
    expect(await tasks.end('y')).toEqual(['a', 'x', 'z'])
    expect(await tasks.end('a')).toEqual(['x', 'z', 'b'])
  })

  it('starts no check while another check uses the only system', async () => {
    const schedule = createSchedule({ concurrency: 9, streams: 9, instances: 0 })
    const first = start(schedule, { x: { alone: 'all' } })
    expect(await first.names()).toEqual(['x'])
    const then = start(schedule, { a: {}, b: {} })
    expect(await then.names()).toEqual([])
    await first.end('x')
    expect(await then.names()).toEqual(['a', 'b'])
  })

  it('keeps the number of open streams within the limit, and still runs a check that needs more', async () => {
    const tasks = start(createSchedule({ concurrency: 9, streams: 4, instances: 0 }), {
      a: { streams: 3 },
      b: { streams: 2 },
      c: { streams: 1 },
      d: { streams: 6 },
    })
    expect(await tasks.names()).toEqual(['a', 'c'])
    expect(await tasks.end('a')).toEqual(['c', 'b'])
    await tasks.end('c')
    expect(await tasks.end('b')).toEqual(['d'])
  })

  it('continues after a failed task', async () => {
    const schedule = createSchedule({ concurrency: 1, streams: 1, instances: 0 })
    await expect(schedule.run({}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await schedule.run({}, () => Promise.resolve(1))).toBe(1)
  })
})
