import { expect, it } from 'vitest'
import { describeConfig } from './describe-config.ts'

it('describes a configuration without its secrets and the code of its functions', () => {
  const config = {
    baseUrl: 'https://operator:s3cret-word@gateway.example.com',
    apps: { first: { key: 'gk_first_secret', appId: 'app_1' } },
    services: { main: 'ep_main', foreign: undefined },
    command: ['program', '--token=very-long-secret'],
    driver: { moveClock: () => {} },
  }
  const described = describeConfig(config, (text) => text.replaceAll('very-long-secret', '[redacted]'))
  expect(described).toEqual({
    baseUrl: 'https://[not shown]@gateway.example.com',
    apps: { first: { key: '[not shown]', appId: 'app_1' } },
    services: { main: 'ep_main' },
    command: ['program', '--token=[redacted]'],
    driver: { moveClock: 'a function' },
  })
})
