import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { save, saved } from '../../../kit/steps/callback-administration.ts'
import { expectRefused } from '../../../kit/steps/refusals.ts'

const needs = ['callbacks', 'callbacks.allowedHost', 'driver.saveCallback', 'driver.changeCallback'] as const

const allowedHost = (t: ServerContext): string => t.config.callbacks?.allowedHost ?? ''

/** Expects a new configuration with the URL, and a change to the URL, to be refused. */
async function refuseAll(t: ServerContext, urls: readonly string[]): Promise<void> {
  const callback = await saved(t, { url: `https://${allowedHost(t)}/events` })
  for (const url of urls) {
    expectRefused(await save(t, { url }), url)
    expectRefused(await t.driver.changeCallback({ url }, callback.callbackId), `a change to ${url}`)
  }
}

const hosts = (...names: readonly string[]): string[] => names.map((name) => `https://${name}/events`)

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/https-on-443-only',
    title: 'only HTTPS URLs on the default port can be saved',
    rules: ['CB-07'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const host = allowedHost(t)
      for (const url of [`https://${host}`, `https://${host}/a/b?c=d`, `https://${host}:443/events`])
        await saved(t, { url })
      const ports = ['8443', '80', '444', '4430', '1', '65535'].map((port) => `https://${host}:${port}/events`)
      await refuseAll(t, [...ports, `http://${host}/events`, `http://${host}:443/events`, `ftp://${host}/events`])
      for (const url of [`//${host}/events`, `${host}/events`, '/events', 'file:///etc/passwd', 'data:,x', ''])
        expectRefused(await save(t, { url }), JSON.stringify(url))
    },
  },
  {
    id: 'callbacks/exact-host-names',
    title: 'only the exact host names of the allowlist can be saved: no subdomain, parent, prefix or suffix of them',
    rules: ['CB-08', 'CB-09'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const host = allowedHost(t)
      const [first = '', ...rest] = host.split('.')
      await saved(t, { url: `https://${host}/events` })
      await refuseAll(
        t,
        hosts(
          `sub.${host}`,
          rest.join('.'),
          `x${host}`,
          `${host}x`,
          `${host}.evil.example`,
          `evil.example/${host}`,
          `evil.example?${host}`,
          `${first}-${rest.join('.')}`,
          'evil.example',
          `*.${rest.join('.')}`,
        ),
      )
    },
  },
  {
    id: 'callbacks/no-addresses',
    title: 'localhost, private networks and IP literals cannot be saved, in any notation',
    rules: ['CB-12'],
    tags: ['security'],
    needs,
    run: (t) =>
      refuseAll(
        t,
        hosts(
          'localhost',
          'LOCALHOST',
          'localhost.',
          'sub.localhost',
          '127.0.0.1',
          '127.1',
          '2130706433',
          '0x7f000001',
          '0x7f.1',
          '0177.0.0.1',
          '10.0.0.1',
          '172.16.0.1',
          '192.168.0.1',
          '8.8.8.8',
          '134744072',
          '[::1]',
          '[::]',
          '[2606:4700:4700::1111]',
          '[::ffff:8.8.8.8]',
        ),
      ),
  },
  {
    id: 'callbacks/no-special-addresses',
    title:
      'private, loopback, link-local, CGNAT, multicast, documentation, reserved and unspecified addresses are blocked',
    rules: ['CB-58', 'CB-60'],
    tags: ['security'],
    needs,
    run: (t) =>
      refuseAll(
        t,
        hosts(
          '0.0.0.0',
          '10.255.255.255',
          '100.64.0.1',
          '100.127.255.255',
          '127.255.255.254',
          '169.254.0.1',
          '169.254.169.254',
          '169.254.170.2',
          '100.100.100.200',
          '172.16.0.0',
          '172.31.255.255',
          '192.0.0.1',
          '192.0.2.1',
          '192.168.255.255',
          '198.18.0.1',
          '198.51.100.1',
          '203.0.113.1',
          '224.0.0.1',
          '239.255.255.255',
          '240.0.0.1',
          '255.255.255.255',
          '[fe80::1]',
          '[fc00::1]',
          '[fd00:ec2::254]',
          '[ff02::1]',
          '[2001:db8::1]',
        ),
      ),
  },
  {
    id: 'callbacks/no-mapped-addresses',
    title: 'IPv4-mapped, NAT64 and 6to4 forms of blocked addresses are blocked',
    rules: ['CB-59'],
    tags: ['security'],
    needs,
    run: (t) =>
      refuseAll(
        t,
        hosts(
          '[::ffff:127.0.0.1]',
          '[::ffff:7f00:1]',
          '[::ffff:10.0.0.1]',
          '[::ffff:169.254.169.254]',
          '[64:ff9b::7f00:1]',
          '[64:ff9b::10.0.0.1]',
          '[2002:7f00:1::]',
          '[2002:a00:1::1]',
          '[::127.0.0.1]',
        ),
      ),
  },
  {
    id: 'callbacks/no-userinfo-or-fragment',
    title: 'a URL with userinfo or a fragment is refused when it is saved, even with an allowed host',
    rules: ['CB-61'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const host = allowedHost(t)
      const urls = [
        `https://user@${host}/events`,
        `https://user:password@${host}/events`,
        `https://:password@${host}/events`,
        `https://${host}@evil.example/events`,
        `https://${host}/events#here`,
        `${t.callbacks.origin.replace('//', '//user@')}/events`,
        `${t.callbacks.origin}/events#here`,
      ]
      await refuseAll(t, urls)
    },
  },
  {
    id: 'callbacks/exempt-origins-are-exact',
    title: 'an origin exempt for local development allows only its exact scheme, host and port',
    rules: ['CB-62'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const origin = new URL(t.callbacks.origin)
      if (origin.hostname !== '127.0.0.1') t.untestable('the receiver does not listen on 127.0.0.1')
      await saved(t, { url: `${origin.origin}/any/path?query=1` })
      const { port } = origin
      const otherPort = Number(port) === 65_535 ? 65_534 : Number(port) + 1
      await refuseAll(t, [
        `http://127.0.0.1:${otherPort}/events`,
        'http://127.0.0.1/events',
        `https://127.0.0.1:${port}/events`,
        `http://localhost:${port}/events`,
        `http://127.0.0.2:${port}/events`,
        `http://[::1]:${port}/events`,
        `http://127.0.0.1.evil.example:${port}/events`,
      ])
    },
  },
]
