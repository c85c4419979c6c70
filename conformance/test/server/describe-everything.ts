import { loadChecks } from '../../src/checks/load-checks.ts'
import type { Driver } from '../../src/kit/config/driver.ts'
import type { ServerConfig } from '../../src/kit/config/server-config.ts'

const serverChecks = await loadChecks('server')

/** A configuration with a driver that does nothing. It claims enough features to make most checks testable. */
export const describeEverything = (baseUrl: string): ServerConfig => {
  const webhook = { integrationId: 'wh_null', secret: 'an-unused-secret', subject: 'unused' }
  const driver = new Proxy({} as Driver, {
    ownKeys: () => DRIVER_FUNCTIONS,
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: nothing }),
    get: (_target, name) => (name === 'scriptInput' ? undefined : nothing),
  })
  return {
    baseUrl,
    apps: {
      first: { key: 'gk_null_first', appId: 'app_first', scopedKeys: { 'runs:read': 'gk_null_scoped' } },
      second: { key: 'gk_null_second', appId: 'app_second' },
    },
    subjects: { first: 'a', second: 'b' },
    services: { main: 'ep_main', sameDevice: 'ep_same', otherDevice: 'ep_other', foreign: 'ep_foreign' },
    webhooks: {
      new: webhook,
      messageByKey: webhook,
      messageById: webhook,
      resetReject: webhook,
      resetCancel: webhook,
      cancel: webhook,
      disabled: webhook,
      deepPaths: webhook,
    },
    admin: { url: `${baseUrl}/admin/v1`, token: 'an-unused-token' },
    driver,
  }
}

const nothing = async (): Promise<Record<string, never>> => ({})
const DRIVER_FUNCTIONS = [...new Set(serverChecks.flatMap(({ needs = [] }) => needs))]
  .filter((need) => need.startsWith('driver.') && need !== 'driver.scriptInput')
  .map((need) => need.slice('driver.'.length))
