import { describe, expect, it } from 'vitest'
import { loadClient } from '../../run/load-client.ts'
import { loadReceiver } from '../../run/load-receiver.ts'
import { checkServerConfig } from './check-server-config.ts'
import type { ServerConfig } from './server-config.ts'

const CONFIG: ServerConfig = {
  baseUrl: 'http://127.0.0.1:8787',
  apps: { first: { key: 'gk_one' }, second: { key: 'gk_two' } },
  subjects: { first: 'a', second: 'b' },
  services: { main: 'ep_main', foreign: 'ep_foreign' },
}

/** A configuration with any changes, as a file in plain JavaScript may have them. */
const changed = (changes: object): ServerConfig => Object.assign({ ...CONFIG }, changes)

describe('a configuration', () => {
  it('is accepted with a driver and a control URL', () => {
    const whole = changed({ driver: { moveClock: async () => {} }, control: { url: 'http://127.0.0.1:1' } })
    expect(checkServerConfig(whole)).toBe(whole)
  })

  it.each([
    [{ deadline: { settleMs: 1 } }, 'deadline: unknown member; did you mean deadlines?'],
    [{ deadlines: { settleMS: 1 } }, 'deadlines.settleMS: unknown member; did you mean settleMs?'],
    [{ driver: { moveclock: () => {} } }, 'driver.moveclock: unknown member; did you mean moveClock?'],
    [
      { services: { ...CONFIG.services, otherDevce: 'ep' } },
      'services.otherDevce: unknown member; did you mean otherDevice?',
    ],
    [{ control: { address: 'x' } }, 'control.address: unknown member; known members are url, token'],
  ])('is refused with an unknown member, and the error suggests or lists known names: %j', (changes, fault) => {
    expect(() => checkServerConfig(changed(changes))).toThrow(fault)
  })

  it.each([
    [{ name: 3 }, 'name: must be a string, not a number'],
    [{ freshSubjects: 'no' }, 'freshSubjects: must be true or false, not a string'],
    [{ deadlines: { settleMs: '20 s' } }, 'deadlines.settleMs: must be a number, not a string'],
    [{ webhooks: { new: { integrationId: 'wh' } } }, 'webhooks.new.secret: is missing; it must be a string'],
    [{ webhooks: { new: 'wh' } }, 'webhooks.new: must be an object, not a string'],
    [{ admin: { url: 'http://127.0.0.1:1', token: null } }, 'admin.token: must be a string, not null'],
    [{ secrets: 'a' }, 'secrets: must be a list of strings, not a string'],
    [
      { driver: { moveClock: 'soon' } },
      'driver.moveClock: must be a function, not a string; only a module can contain one',
    ],
  ])('is refused with a missing member or one of the wrong kind: %j', (changes, fault) => {
    expect(() => checkServerConfig(changed(changes))).toThrow(fault)
  })

  it('is also validated for clients and receivers', async () => {
    await expect(loadClient({ command: ['python3'], comand: [] })).rejects.toThrow('did you mean command?')
    const receiver = { url: 'http://127.0.0.1:1/', secret: 's', driver: { storedEvent: () => {} } }
    await expect(loadReceiver(receiver)).rejects.toThrow('driver.storedEvent: unknown member')
  })
})
