import type { ServerContext } from '../server/context.ts'

type Use<Result> = () => Promise<Result>

/** Calls `use` between `suspend` and `resume`, and always resumes. */
async function during<Result>(suspend: () => Promise<void>, resume: () => Promise<void>, use: Use<Result>) {
  await suspend()
  try {
    return await use()
  } finally {
    await resume()
  }
}

/**
 * Pauses admission while `use` runs. A check that calls a function of this file needs both abilities of the driver: to
 * suspend and to resume.
 */
export const whileAdmissionIsPaused = <Result>({ driver }: ServerContext, use: Use<Result>): Promise<Result> =>
  during(driver.pauseAdmission, driver.resumeAdmission, use)

const suspending =
  (
    suspend: 'disableApp' | 'disableDevice' | 'pauseDevice' | 'takeDeviceOffline',
    resume: 'enableApp' | 'enableDevice' | 'resumeDevice' | 'bringDeviceOnline',
  ) =>
  <Result>({ driver }: ServerContext, appOrService: string, use: Use<Result>): Promise<Result> =>
    during(
      () => driver[suspend](appOrService),
      () => driver[resume](appOrService),
      use,
    )

export const whileAppIsDisabled = suspending('disableApp', 'enableApp')
export const whileDeviceIsDisabled = suspending('disableDevice', 'enableDevice')
export const whileDeviceIsPaused = suspending('pauseDevice', 'resumeDevice')
export const whileDeviceIsOffline = suspending('takeDeviceOffline', 'bringDeviceOnline')
