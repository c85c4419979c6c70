import { describe, expect, it } from 'vitest'
import { describeSettings, isDevelopment, readConfig, requireConfig } from './config.ts'

const HEX_KEY = '6b1d0c3e9f4a48d2b7c5e8a1f0d3c2b4a5968778695a4b3c2d1e0f9a8b7c6d5e'
const OLD_KEY = '00'.repeat(32)
const TOKEN = 'an-admin-token-of-some-length'
const EXPOSED = {
  GATEWAY_HOST: '0.0.0.0',
  GATEWAY_BEHIND_PROXY: '1',
  GATEWAY_ADMIN_TOKEN: TOKEN,
  GATEWAY_SECRET_KEY: HEX_KEY,
}

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  const result = readConfig(environment)
  return result.ok ? [] : result.faults
}
const configOf = (environment: Record<string, string>) => requireConfig(environment).config

describe('development', () => {
  it.each([
    ['127.0.0.1', false, undefined, true],
    ['::1', false, 'development', true],
    ['127.0.0.1', false, 'production', false],
    ['127.0.0.1', true, undefined, false],
    ['0.0.0.0', false, undefined, false],
    ['10.0.0.5', false, undefined, false],
  ])('on %s, behind a proxy: %s, with NODE_ENV %s: %s', (host, behindProxy, nodeEnvironment, expected) => {
    expect(isDevelopment({ host, behindProxy }, nodeEnvironment)).toBe(expected)
  })
})

describe('the configuration', () => {
  it('has a default for everything that needs a value [CONF-02, CONF-03, CONF-06, CONF-10, CANCEL-13, DEV-15]', () => {
    expect(configOf({ PATH: '/bin', HOME: '/root' })).toEqual({
      host: '127.0.0.1',
      port: 8787,
      behindProxy: false,
      roles: ['api', 'device', 'delivery', 'maintenance'],
      databasePool: 16,
      databaseDeadlineMs: 10_000,
      databaseMaxAgeMs: 1_800_000,
      clock: 'database',

      dataDir: '.data',
      logLevel: 'info',
      leaseMs: 4000,
      workerLeaseMs: 15_000,
      heartbeatMs: 1000,
      deviceOfflineMs: 30_000,
      reconcileMs: 60_000,
      stopMs: 60_000,
      pingMs: 15_000,
      wakeMs: 10,
      deltaMs: 15,
      eventRetentionHours: 168,
      bodyRetentionHours: 720,
      streamsPerDevice: 32,
      streamsPerApp: 16,
      streamsPerSubject: 4,
      rateLimitPerSecond: 500,
      rateLimitBurst: 1000,
      pendingPerApp: 200,
      pendingPerDevice: 1000,
      queuedPerConversation: 20,
      runConcurrency: 64,
      drainMs: 20_000,
      moduleMemoryMb: 512,
    })
  })

  it('takes values from their variables [CONF-02, CONF-03, CONF-04, CONF-05, CONF-07, CONF-09, CONF-10, CONF-14]', () => {
    const config = configOf({
      ...EXPOSED,
      GATEWAY_PORT: '0',
      GATEWAY_PUBLIC_URL: 'https://gateway.example.com/',
      DATABASE_URL: 'postgres://user:p%40ss@db.internal:5432/gateway?sslmode=require',
      GATEWAY_ROLES: 'device, maintenance',
      GATEWAY_DEVICES: 'dev_1,dev_2',
      SERVICE_GATEWAY_CALLBACK_HOSTS: 'Hooks.Example.com, other.example.org',
      GATEWAY_BOOTSTRAP: '/etc/gateway.json',
      GATEWAY_TLS_CERT: 'cert.pem',
      GATEWAY_TLS_KEY: 'key.pem',
      GATEWAY_LOG_LEVEL: 'debug',
      GATEWAY_LEASE_MS: '300',
      GATEWAY_HEARTBEAT_MS: '100',
    })
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      publicUrl: 'https://gateway.example.com',
      databaseUrl: 'postgres://user:p%40ss@db.internal:5432/gateway?sslmode=require',
      roles: ['device', 'maintenance'],
      devices: ['dev_1', 'dev_2'],
      callbackHosts: ['hooks.example.com', 'other.example.org'],
      bootstrap: '/etc/gateway.json',
      tlsCert: 'cert.pem',
      tlsKey: 'key.pem',
      logLevel: 'debug',
      adminToken: TOKEN,
      secretKeys: [Buffer.from(HEX_KEY, 'hex')],
      leaseMs: 300,
      heartbeatMs: 100,
    })
  })

  it('treats an empty variable as absent', () => {
    expect(configOf({ GATEWAY_PORT: '', GATEWAY_ADMIN_TOKEN: '', DATABASE_URL: '' })).toEqual(configOf({}))
  })

  it('reports all faults at once [CONF-01, CONF-10]', () => {
    const faults = faultsOf({
      GATEWAY_PORT: 'eighty',
      GATEWAY_ROLES: 'api,cook',
      GATEWAY_HEARTBEAT_MS: '20000',
      GATEWAY_TLS_CERT: 'cert.pem',
      GATEWAY_HOST: '0.0.0.0',
      GATEWAY_PROT: '1',
    })
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'GATEWAY_ADMIN_TOKEN',
      'GATEWAY_HEARTBEAT_MS',
      'GATEWAY_PORT',
      'GATEWAY_PROT',
      'GATEWAY_ROLES',
      'GATEWAY_SECRET_KEY',
      'GATEWAY_TLS_KEY',
    ])
  })
})

describe('a faulty setting', () => {
  it.each([
    ['GATEWAY_DATA_DIR', '"/var/data"', /^GATEWAY_DATA_DIR must not be in quotes/],
    ['GATEWAY_ADMIN_TOKEN', `'${TOKEN}'`, /^GATEWAY_ADMIN_TOKEN must not be in quotes/],
    ['GATEWAY_DATA_DIR', '/var/\r\n/data', /^GATEWAY_DATA_DIR must not have control characters/],
  ])('may come from the syntax of an environment file: %s=%j', (name, value, fault) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(fault)])
  })

  it.each([
    ['GATEWAY_HOST', 'http://0.0.0.0', 'host name'],
    ['GATEWAY_HOST', '[::1]', 'without scheme'],
    ['GATEWAY_HOST', '127.0.0.1:80', 'without scheme'],
    ['GATEWAY_PORT', '65536', '0 to 65535'],
    ['GATEWAY_PORT', '-1', 'whole number'],
    ['GATEWAY_PORT', '8e3', 'whole number'],
    ['GATEWAY_PUBLIC_URL', 'https://gateway.example.com/api/v1', 'without a path'],
    ['GATEWAY_PUBLIC_URL', 'http://gateway.example.com', 'http is for loopback'],
    ['GATEWAY_PUBLIC_URL', 'gateway.example.com', 'origin'],
    ['GATEWAY_BEHIND_PROXY', 'yes', '1 or 0'],
    ['GATEWAY_ROLES', 'api,api', 'different'],
    ['GATEWAY_ROLES', 'api,', 'one of api, device, delivery, maintenance'],
    ['GATEWAY_DEVICES', 'a b', 'device ID'],
    ['GATEWAY_LOG_LEVEL', 'verbose', 'one of trace'],
    ['GATEWAY_LEASE_MS', '0', '1 to'],
    ['GATEWAY_DRAIN_MS', '86400001', '0 to 86400000'],
    ['GATEWAY_MODULE_MEMORY_MB', '31', '32 to'],
    ['GATEWAY_LEASE_MS', '1.5', 'whole number'],
    ['GATEWAY_DATABASE_POOL', '0', '1 to'],
    ['DATABASE_URL', 'mysql://db/x', 'postgres://'],
    ['DATABASE_URL', 'postgres://user:pass word@host:port/db', 'percent-encode'],
    ['SERVICE_GATEWAY_CALLBACK_HOSTS', 'https://hooks.example.com', 'without scheme'],
    ['SERVICE_GATEWAY_CALLBACK_HOSTS', '*.example.com', 'wildcard'],
    ['SERVICE_GATEWAY_CALLBACK_HOSTS', 'hooks.example.com:443', 'port'],
    ['SERVICE_GATEWAY_CALLBACK_HOSTS', '10.0.0.1', 'host name'],
    ['GATEWAY_CALLBACK_DEV_TARGETS', 'http://127.0.0.1:9000/hook', 'origin'],
    ['GATEWAY_CALLBACK_DEV_TARGETS', '127.0.0.1:9000', 'origin'],
    ['GATEWAY_ADMIN_TOKEN', 'short', '24 to 512'],
    ['GATEWAY_ADMIN_TOKEN', 'twenty-three-characters', '24 to 512'],
    ['GATEWAY_ADMIN_TOKEN', 'a'.repeat(64), 'repeats itself; `openssl rand -hex 32`'],
    ['GATEWAY_ADMIN_TOKEN', 'changeme-changeme-changeme', 'repeats itself; `openssl rand -hex 32`'],
    ['GATEWAY_ADMIN_TOKEN', 'abcdefghijklmnopqrstuvwxyz', 'is a sequence; `openssl rand -hex 32`'],
    ['GATEWAY_ADMIN_TOKEN', 'abcacbbacbaccabbcabacbcaab', 'too few different characters; `openssl rand -hex 32`'],
    ['GATEWAY_ADMIN_TOKEN', 'sixteen chars and spaces', 'without spaces'],
    ['GATEWAY_SECRET_KEY', 'abc', 'openssl rand -hex 32'],
    ['GATEWAY_SECRET_KEY', `${HEX_KEY}00`, '32 random bytes'],
    ['GATEWAY_SECRET_KEY', OLD_KEY, 'repeats itself; `openssl rand -hex 32`'],
    ['GATEWAY_SECRET_KEY', '0f'.repeat(32), 'repeats itself; `openssl rand -hex 32`'],
    ['GATEWAY_SECRET_KEY', `${OLD_KEY},${HEX_KEY}`, 'must begin with a random key'],
    ['GATEWAY_SECRET_KEY', `${HEX_KEY},`, 'separated by commas'],
    ['GATEWAY_SECRET_KEY', Array(9).fill(HEX_KEY).join(), 'Up to 8 keys'],
  ])('%s=%s is the only fault, reported with the expected value [CB-09, CONF-20]', (name, value, expected) => {
    const faults = faultsOf({ [name]: value })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^${name} `))
    expect(faults[0]).toContain(expected)
  })

  it.each(describeSettings().filter(({ secret }) => secret === true))(
    '$name is reported without its value',
    ({ name }) => {
      const faults = faultsOf({ [name]: 'hunter2 :// hunter2', GATEWAY_HOST: '0.0.0.0' })
      expect(faults.some((fault) => fault.startsWith(name))).toBe(true)
      expect(faults.join('\n')).not.toContain('hunter2')
    },
  )

  it('that does not exist is reported, with the most similar name if there is one', () => {
    expect(faultsOf({ GATEWAY_ADMINTOKEN: 'x' })).toEqual([
      'GATEWAY_ADMINTOKEN is not a setting; did you mean GATEWAY_ADMIN_TOKEN?',
    ])
    expect(faultsOf({ SERVICE_GATEWAY_CALLBACK_HOST: 'x' })).toEqual([
      'SERVICE_GATEWAY_CALLBACK_HOST is not a setting; did you mean SERVICE_GATEWAY_CALLBACK_HOSTS?',
    ])
    expect(faultsOf({ GATEWAY_SOMETHING_ELSE_ALTOGETHER: 'x' })).toEqual([
      'GATEWAY_SOMETHING_ELSE_ALTOGETHER is not a setting',
    ])
  })

  it('is not a fault if it is a setting of a client in the same shell', () => {
    expect(faultsOf({ GATEWAY_BASE_URL: 'http://127.0.0.1:8787', GATEWAY_API_KEY: 'gk_x' })).toEqual([])
  })
})

describe('a secret key', () => {
  const bytes = Buffer.from(HEX_KEY, 'hex')
  it.each([HEX_KEY, HEX_KEY.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')])(
    'may be %s',
    (text) => {
      expect(configOf({ GATEWAY_SECRET_KEY: text }).secretKeys).toEqual([bytes])
    },
  )
})

describe('several secret keys', () => {
  it('are read in order; only the first is checked for strength [CONF-19]', () => {
    const keys = [HEX_KEY, OLD_KEY, Buffer.alloc(32, 7).toString('base64')]
    expect(configOf({ GATEWAY_SECRET_KEY: keys.join(', ') }).secretKeys).toEqual([
      Buffer.from(HEX_KEY, 'hex'),
      Buffer.alloc(32),
      Buffer.alloc(32, 7),
    ])
  })
})

describe('an address that others can reach', () => {
  it.each(['0.0.0.0', '::', '10.1.2.3', 'gateway.example.com', '128.0.0.1', 'localhost.example.com'])(
    '%s needs TLS or a proxy, an admin token and a secret key [CONF-15, CONF-16, CONF-17, AUTH-04]',
    (host) => {
      const faults = faultsOf({ GATEWAY_HOST: host })
      expect(faults).toHaveLength(3)
      expect(faults[0]).toMatch(/GATEWAY_TLS_CERT and GATEWAY_TLS_KEY.*GATEWAY_BEHIND_PROXY=1/)
      expect(faults[1]).toMatch(/^GATEWAY_ADMIN_TOKEN must be set/)
      expect(faults[2]).toMatch(/^GATEWAY_SECRET_KEY must be set.*openssl rand -hex 32/)
      expect(faultsOf({ ...EXPOSED, GATEWAY_HOST: host })).toEqual([])
    },
  )

  it.each(['127.0.0.1', '127.8.9.1', '::1', 'localhost'])('is not %s [AUTH-05]', (host) => {
    expect(faultsOf({ GATEWAY_HOST: host })).toEqual([])
  })

  it('accepts a certificate and its key instead of a proxy [CONF-14, CONF-16]', () => {
    const tls = { ...EXPOSED, GATEWAY_BEHIND_PROXY: '0', GATEWAY_TLS_CERT: 'cert.pem', GATEWAY_TLS_KEY: 'key.pem' }
    expect(faultsOf(tls)).toEqual([])
    expect(faultsOf({ ...tls, GATEWAY_TLS_KEY: '' })).toEqual([
      'GATEWAY_TLS_KEY must be set together with GATEWAY_TLS_CERT',
    ])
    expect(faultsOf({ ...tls, GATEWAY_TLS_CERT: '' })).toEqual([
      'GATEWAY_TLS_CERT must be set together with GATEWAY_TLS_KEY',
    ])
  })

  it('excludes unchecked callback targets [CB-63, CONF-13]', () => {
    const targets = { GATEWAY_CALLBACK_DEV_TARGETS: 'http://127.0.0.1:9000,http://localhost:9001' }
    expect(configOf(targets).callbackDevTargets).toEqual(['http://127.0.0.1:9000', 'http://localhost:9001'])
    expect(faultsOf({ ...EXPOSED, ...targets })[0]).toMatch(/^GATEWAY_CALLBACK_DEV_TARGETS is for local development/)
  })

  it('may be the address for operators [CONF-14, CONF-16]', () => {
    const operator = { GATEWAY_OPERATOR_HOST: '10.0.0.5', GATEWAY_OPERATOR_PORT: '8788' }
    const faults = faultsOf({ ...operator, GATEWAY_CALLBACK_DEV_TARGETS: 'http://127.0.0.1:9000' })
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'GATEWAY_TLS_CERT',
      'GATEWAY_ADMIN_TOKEN',
      'GATEWAY_SECRET_KEY',
      'GATEWAY_CALLBACK_DEV_TARGETS',
    ])
    for (const fault of faults) expect(fault).toContain('GATEWAY_OPERATOR_HOST (10.0.0.5) is not a loopback address')
    const { GATEWAY_HOST, ...needs } = EXPOSED
    expect(configOf({ ...operator, ...needs })).toMatchObject({ operatorHost: '10.0.0.5', operatorPort: 8788 })
  })

  it('does not report a fault twice', () => {
    expect(faultsOf({ ...EXPOSED, GATEWAY_ADMIN_TOKEN: 'short' })).toHaveLength(1)
    expect(faultsOf({ ...EXPOSED, GATEWAY_BEHIND_PROXY: 'maybe' })).toHaveLength(1)
  })
})

describe('the address for operators', () => {
  it('needs a port', () => {
    expect(faultsOf({ GATEWAY_OPERATOR_HOST: '127.0.0.1' })).toEqual([
      'GATEWAY_OPERATOR_PORT must be set together with GATEWAY_OPERATOR_HOST',
    ])
  })
})

describe('the times of devices', () => {
  it('must increase from heartbeat to lease to offline', () => {
    expect(faultsOf({ GATEWAY_HEARTBEAT_MS: '4000' })).toEqual([
      'GATEWAY_HEARTBEAT_MS (4000) must be less than GATEWAY_LEASE_MS (4000)',
    ])
    expect(faultsOf({ GATEWAY_DEVICE_OFFLINE_MS: '1000' })).toEqual([
      'GATEWAY_LEASE_MS (4000) must be less than GATEWAY_DEVICE_OFFLINE_MS (1000)',
    ])
    expect(faultsOf({ GATEWAY_LEASE_MS: 'x', GATEWAY_DEVICE_OFFLINE_MS: '1000' })).toHaveLength(1)
  })
})
