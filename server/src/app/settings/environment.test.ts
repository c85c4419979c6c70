import { describe, expect, it } from 'vitest'
import { requireConfig } from './config.ts'

const SETTINGS = {
  GATEWAY_DATA_DIR: '/var/data',
  GATEWAY_LOG_LEVEL: 'debug',
  SERVICE_GATEWAY_CALLBACK_HOSTS: 'hooks.example.com',
  DATABASE_URL: 'postgres://db/gateway',
}

const configOf = (environment: Record<string, string>) => requireConfig(environment).config

describe('the environment', () => {
  it.each([' ', '\r', '\r\n', '\t'])('ignores white space around a value: %j', (space) => {
    const padded = Object.fromEntries(
      Object.entries(SETTINGS).map(([name, value]) => [name, `${space}${value}${space}`]),
    )
    expect(configOf(padded)).toEqual(configOf(SETTINGS))
    expect(configOf({ GATEWAY_PORT: space })).toEqual(configOf({}))
  })

  it.each(['gateway', 'gateway-operator', 'gateway-metrics', 'service-gateway'])(
    'ignores the variables that Kubernetes sets for a Service named %s, and reports them',
    (service) => {
      const prefix = service.toUpperCase().replaceAll('-', '_')
      const links = {
        [`${prefix}_PORT`]: 'tcp://10.96.12.7:8787',
        [`${prefix}_SERVICE_HOST`]: '10.96.12.7',
        [`${prefix}_SERVICE_PORT`]: '8787',
        [`${prefix}_SERVICE_PORT_HTTP`]: '8787',
        [`${prefix}_PORT_8787_TCP`]: 'tcp://10.96.12.7:8787',
        [`${prefix}_PORT_8787_TCP_PROTO`]: 'tcp',
        [`${prefix}_PORT_8787_TCP_PORT`]: '8787',
        [`${prefix}_PORT_8787_TCP_ADDR`]: '10.96.12.7',
      }
      expect(requireConfig(links)).toEqual({ ok: true, config: configOf({}), serviceLinks: Object.keys(links).sort() })
      expect(configOf({ ...links, GATEWAY_PORT: '9000' }).port).toBe(9000)
    },
  )
})
