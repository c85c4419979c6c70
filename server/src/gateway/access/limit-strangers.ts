import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Rate, TokenBucket } from '../../domain/token-bucket.ts'
import { fullBucket, oweToken, waitForToken } from '../../domain/token-bucket.ts'

/** Where a request comes from: the address of its client, or of what the gateway takes for it. */
export interface Peer {
  readonly ip: string
}

/** Limits failed authentications by the address that they come from, in this process. */
export interface StrangerLimit {
  /** Refuses (RATE_LIMITED) an address that has failed too often; null lets it try. */
  refuse(peer: Peer): Refusal | null
  /** Counts a failure. Those that were under way together are all counted, and made up for by waiting longer. */
  count(peer: Peer): void
}

/** Failures of an address: many people may share one, and a suite of tests fails often. */
const FAILURES: Rate = { perSecond: 50, burst: 500 }

/** Addresses whose failures are kept at once, those that failed last. */
const KEPT_ADDRESSES = 10_000

/** What one subscriber has of IPv6, in bits. */
const IPV6_NETWORK = 64

export const createStrangerLimit = (clock: Clock): StrangerLimit => {
  const buckets = new LRUCache<string, TokenBucket>({ max: KEPT_ADDRESSES })
  return {
    refuse: ({ ip }) => {
      const bucket = buckets.get(networkOf(ip))
      const waitMs = bucket === undefined ? 0 : waitForToken(bucket, FAILURES, clock.now().getTime())
      if (waitMs === 0) return null
      return refuse('RATE_LIMITED', 'Too many requests with unknown keys came from this address.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      })
    },
    count: ({ ip }) => {
      const network = networkOf(ip)
      const nowMs = clock.now().getTime()
      const bucket = buckets.get(network) ?? fullBucket(FAILURES, nowMs)
      oweToken(bucket, FAILURES, nowMs)
      buckets.set(network, bucket)
    },
  }
}

/** What is limited as one: an IPv4 address, a network of IPv6, and all that is no address. */
const networkOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return 'no address'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts.slice(0, IPV6_NETWORK / 16).join(':')}::`
}
