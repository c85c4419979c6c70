import { UntestableError } from '../check.ts'
import { isAbility } from '../config/abilities.ts'
import type { Driver } from '../config/driver.ts'
import { faultOfAnswer } from '../config/fault-of-answer.ts'
import { toAnswer } from '../config/wire-form.ts'
import { DriverError } from '../failure.ts'
import { messageOf } from '../message-of.ts'
import type { Waits } from '../waits.ts'
import type { ServerNeed } from './needs.ts'

export interface GuardedDriverOptions {
  readonly driver: Driver | undefined
  /** The needs that the check declares. */
  readonly needs: readonly ServerNeed[]
  readonly waits: Waits
  note(text: string): void
  /** Called with the result of each successful call. */
  onResult(name: keyof Driver, args: readonly unknown[], result: unknown): void
}

/** Abilities whose arguments are secrets. */
const SECRET: ReadonlySet<string> = new Set(['revokeKey'])

/**
 * Returns the driver's functions, restricted to those that the check declares as needs. Each call is noted in the
 * transcript. An error other than `UntestableError`, or a result of another shape, becomes a `DriverError`.
 */
export function createGuardedDriver(options: GuardedDriverOptions): Required<Driver> {
  const { driver = {}, needs, waits, note, onResult } = options
  return new Proxy({} as Required<Driver>, {
    get: (_target, name: keyof Driver) => {
      if (!needs.includes(`driver.${name}`))
        throw new Error(`the check uses driver.${name}, which its needs do not list`)
      const call: unknown = driver[name]
      if (typeof call !== 'function') throw new UntestableError(`the driver has no ability ${name}`)
      return async (...args: readonly unknown[]) => {
        const shown = SECRET.has(name) ? '…' : args.map((value) => JSON.stringify(value)).join(', ')
        const what = `driver.${name}(${shown})`
        note(what)
        const result = await waits.during(
          what,
          callDriver(what, async () => call.apply(driver, args)),
          'driver',
        )
        const fault = faultOfResult(name, result)
        if (fault !== null) throw new DriverError(`${what} returned an invalid result: ${fault}`)
        onResult(name, args, result)
        return result
      }
    },
  })
}

/** Converts errors to `DriverError`. An `UntestableError` means that the driver declines. */
async function callDriver(what: string, call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Error && error.name === 'UntestableError') throw new UntestableError(error.message)
    throw new DriverError(`${what} failed: ${messageOf(error)}`, { cause: error })
  }
}

const faultOfResult = (name: string, result: unknown): string | null => {
  if (!isAbility(name) || typeof Object(result).refused === 'string') return null
  return faultOfAnswer(name, toAnswer(name, result))
}
