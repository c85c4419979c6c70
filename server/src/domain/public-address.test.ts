import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

/** Every kind of address that callbacks must not be sent to (D-41), with examples, mostly the ends of its ranges. */
const BLOCKED = {
  unspecified: ['0.0.0.0', '0.255.255.255', '::'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'unique local': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'link-local': ['169.254.0.0', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0', 'fe80::1%1'],
  'site-local': ['fec0::1', 'feff::1'],
  'shared (CGNAT)': ['100.64.0.0', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  reserved: [
    '192.0.0.1',
    '192.0.0.192',
    '192.88.99.1',
    '240.0.0.0',
    '255.255.255.254',
    '2001:1::1',
    '4000::1',
    'e000::1',
  ],
  discard: ['100::1'],
  'cloud metadata': [
    '169.254.169.254',
    '169.254.170.2',
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
  ],
  'IPv4-mapped': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:168.63.129.16',
  ],
  'IPv4-compatible': ['::127.0.0.1', '::10.0.0.1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::8.8.8.8'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101::1', '2002:a9fe:a9fe::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'segment routing': ['5f00::1'],
  'not an address in its usual spelling': [
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '8.8.8',
    '010.8.8.8',
    '0x8.8.8.8',
    '1.2.3.4.5',
    '1.2.3.256',
    '',
    'localhost',
    '8.8.8.8 ',
    '[::1]',
    '8.8.8.8%1',
    '::1]/?[',
    '2606:4700::1]:80/[',
    '2606:4700::1%eth0',
  ],
} as const

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '3ffe::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
]

describe('an address that is not public', () => {
  const rows = Object.entries(BLOCKED).flatMap(([kind, addresses]) =>
    addresses.map((address) => [kind, address] as const),
  )
  it.each(rows)('is blocked: %s, %s [CB-13, CB-58, CB-59, CB-60]', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it('is blocked in every form that leads to it through IPv6 [CB-59]', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
        const plain = `${a}.${b}.${c}.${d}`
        const hex = (x: number, y: number): string => ((x << 8) | y).toString(16)
        const forms = [`::ffff:${plain}`, `64:ff9b::${plain}`, `2002:${hex(a, b)}:${hex(c, d)}::1`]
        for (const form of forms) expect([form, isPublicAddress(form)]).toEqual([form, isPublicAddress(plain)])
      }),
    )
  })
})

describe('a public address', () => {
  it.each(PUBLIC)('is not blocked: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})
