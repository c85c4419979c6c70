import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Rate, TokenBucket } from '../../domain/token-bucket.ts'
import { fullBucket, oweToken, waitForToken } from '../../domain/token-bucket.ts'

/** The origin of a request: the client's address, as far as the gateway knows it. */
export interface Peer {
  readonly ip: string
}

/** Limits failed authentications by client address, in this process. */
export interface FailureLimit {
  /** Refuses (RATE_LIMITED) an address that has failed too often; null lets it try. */
  refuse(peer: Peer): Refusal | null
  /** Counts a failure. Concurrent failures all count and lead to a longer wait. */
  count(peer: Peer): void
}

/** Failure limit of an address. It is generous, because many people may share an address. */
const FAILURES: Rate = { perSecond: 50, burst: 500 }

/** Maximum number of tracked addresses. Those that failed or were checked most recently are kept. */
const KEPT_ADDRESSES = 10_000

/** Prefix length of one subscriber's IPv6 network, in bits. */
const IPV6_NETWORK = 64

export const createFailureLimit = (clock: Clock): FailureLimit => {
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

/** The unit of limiting: an IPv4 address, an IPv6 network, or all invalid addresses together. */
const networkOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return 'no address'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts.slice(0, IPV6_NETWORK / 16).join(':')}::`
}
