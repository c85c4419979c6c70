import { describe, expect, it, vi } from 'vitest'
import { equalHashes, identifyKey, idOfKey, issueKey } from '../../domain/api-key.ts'
import type { KeyOfApp } from '../../store/api-keys.ts'
import type { Queryable } from '../../store/db.ts'
import { DatabaseUnavailable } from '../../store/db.ts'
import type { Caller } from './authenticate.ts'
import { createAuthenticator } from './authenticate.ts'
import type { Peer } from './limit-failures.ts'
import { createFailureLimit } from './limit-failures.ts'

/** An arbitrary requester. */
const PEER = { ip: '192.0.2.1' }
const OTHER_PEER = { ip: '192.0.2.2' }

const START = Date.parse('2026-03-01T00:00:00.000Z')

/** An authenticator on a fake database that counts look-ups, and delays them if the test calls `holdLookUps`. */
const setUp = () => {
  const issued = issueKey()
  const keys = new Map<string, KeyOfApp>()
  let nowMs = START
  let lookUps = 0
  let hold: Promise<void> | null = null
  let failure: Error | null = null
  const add = (token: string, changes: Partial<KeyOfApp> = {}): void => {
    const identity = identifyKey(token)
    keys.set(identity.reference, {
      keyId: idOfKey(identity),
      appId: 'app_1',
      secretHash: identity.hash,
      scopes: ['runs:read', 'runs:write'],
      expiresAt: null,
      revokedAt: null,
      appState: 'active',
      pendingLimit: 7,
      rateLimitPerSecond: null,
      ...changes,
    })
  }
  add(issued.token)
  const db: Queryable = {
    query: async <R extends object>(_statement: unknown, [wanted]: readonly unknown[]) => {
      lookUps++
      const isWanted = ([reference, { secretHash }]: [string, KeyOfApp]) =>
        wanted instanceof Uint8Array ? equalHashes(wanted, secretHash) : wanted === reference
      const key = [...keys].find(isWanted)?.[1]
      await hold
      if (failure !== null) throw failure
      return key === undefined ? [] : [{ ...key, scopes: key.scopes.join(' ') } as unknown as R]
    },
  }
  const clock = { now: () => new Date(nowMs) }
  const failureLimit = createFailureLimit(clock)
  const authenticator = createAuthenticator(db, clock, failureLimit)
  return {
    ...issued,
    add,
    authenticator,
    failureLimit,
    ask: async (token: string, peer = PEER) => authenticator.authenticate(`Bearer ${token}`, peer),
    /** Counts failed authentications of the address until it is refused. */
    exhaust: (peer: Peer) => {
      while (failureLimit.refuse(peer) === null) failureLimit.count(peer)
    },
    lookUps: () => lookUps,
    pass: (ms: number) => {
      nowMs += ms
    },
    holdLookUps: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      hold = promise
      return () => {
        hold = null
        resolve()
      }
    },
    fail: (error: Error | null) => {
      failure = error
    },
  }
}

/** A key with the ID of another key and a different secret. */
const issueWithIdOf = (token: string): string => {
  const upToSecret = token.lastIndexOf('_', token.length - SECRET_CHARACTERS) + 1
  return `${token.slice(0, upToSecret)}${issueKey().token.slice(upToSecret)}`
}
const SECRET_CHARACTERS = 43

const codeOf = (answer: Caller | { code: string }): string => ('code' in answer ? answer.code : 'let in')

describe('authenticate', () => {
  it('finds the caller behind a key', async () => {
    const { ask, token, keyId } = setUp()
    expect(await ask(token)).toEqual({
      keyId,
      appId: 'app_1',
      scopes: new Set(['runs:read', 'runs:write']),
      pendingLimit: 7,
      rateLimitPerSecond: null,
    })
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no scheme', 'gk_a_b'],
    ['another scheme', 'Basic Z2s6eA=='],
    ['a scheme without a key', 'Bearer '],
    ['two keys', 'Bearer gk_a_b gk_c_d'],
    ['two headers, as Node joins them', 'Bearer gk_a_b, Bearer gk_c_d'],
    ['a key longer than 512 characters', `Bearer ${'x'.repeat(513)}`],
    ['a key with characters other than visible ASCII', 'Bearer gk_\u00e4_b'],
  ])('refuses %s without a look-up [AUTH-16]', (_, header) => {
    const { authenticator, lookUps } = setUp()
    expect(authenticator.authenticate(header, PEER)).toMatchObject({ kind: 'refused', code: 'UNAUTHENTICATED' })
    expect(lookUps()).toBe(0)
  })

  it('accepts the scheme in any letter case', async () => {
    const { authenticator, token } = setUp()
    expect(codeOf(await authenticator.authenticate(`bEARER ${token}`, PEER))).toBe('let in')
  })

  it('refuses an unknown key and a wrong secret alike [AUTH-17]', async () => {
    const { ask, token } = setUp()
    const answers = [await ask(issueKey().token), await ask(issueWithIdOf(token)), await ask('unheard-of')]
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('refuses revoked keys, and expired ones from the moment of expiry on [AUTH-13, AUTH-18]', async () => {
    const { ask, add, pass } = setUp()
    add('revoked', { revokedAt: new Date(START - 1) })
    add('expiring', { expiresAt: new Date(START + 1000) })
    expect(codeOf(await ask('revoked'))).toBe('UNAUTHENTICATED')
    pass(999)
    expect(codeOf(await ask('expiring'))).toBe('let in')
    pass(1)
    expect(codeOf(await ask('expiring'))).toBe('UNAUTHENTICATED')
  })

  it('refuses a key of a disabled application with 403 [AUTH-21]', async () => {
    const { ask, add } = setUp()
    add('of-disabled', { appState: 'disabled' })
    expect(codeOf(await ask('of-disabled'))).toBe('PERMISSION_DENIED')
  })

  it('caches a key for 3 seconds, and no longer [AUTH-15]', async () => {
    const { ask, add, token, pass, lookUps } = setUp()
    await ask(token)
    add(token, { revokedAt: new Date(START) })
    pass(3000)
    expect(codeOf(await ask(token))).toBe('let in')
    pass(1)
    expect(codeOf(await ask(token))).toBe('UNAUTHENTICATED')
    expect(lookUps()).toBe(2)
  })

  it('counts the 3 seconds from the start of the look-up', async () => {
    const { ask, add, token, pass, holdLookUps } = setUp()
    const answerLookUps = holdLookUps()
    const first = ask(token)
    add(token, { revokedAt: new Date(START) })
    pass(2900)
    answerLookUps()
    expect(codeOf(await first)).toBe('let in')
    pass(101)
    expect(codeOf(await ask(token))).toBe('UNAUTHENTICATED')
  })

  it('answers a cached key at once, without a promise', async () => {
    const { ask, authenticator, token } = setUp()
    await ask(token)
    expect(authenticator.authenticate(`Bearer ${token}`, PEER)).not.toBeInstanceOf(Promise)
  })

  it('looks up a key once for many concurrent requests', async () => {
    const { ask, token, lookUps } = setUp()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(token)))
    expect(answers.map(codeOf)).toEqual(Array(50).fill('let in'))
    expect(lookUps()).toBe(1)
  })

  it('looks up an unknown key once in 3 seconds [AUTH-25]', async () => {
    const { ask, add, pass, lookUps } = setUp()
    expect([codeOf(await ask('new')), codeOf(await ask('new'))]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED'])
    expect(lookUps()).toBe(1)
    add('new')
    pass(3000)
    expect(codeOf(await ask('new'))).toBe('UNAUTHENTICATED')
    pass(1)
    expect(codeOf(await ask('new'))).toBe('let in')
  })

  it('accepts a new key at once after the cache is cleared [AUTH-25]', async () => {
    const { ask, add, authenticator } = setUp()
    await ask('new')
    add('new')
    authenticator.forget()
    expect(codeOf(await ask('new'))).toBe('let in')
  })

  it('looks up a known key with a wrong secret as often as an unknown one [AUTH-17]', async () => {
    const { ask, token, lookUps } = setUp()
    await ask(token)
    const asked = async (key: string): Promise<number> => {
      const before = lookUps()
      await ask(key)
      return lookUps() - before
    }
    const wrongSecret = issueWithIdOf(token)
    const unknown = issueKey().token
    expect([await asked(wrongSecret), await asked(wrongSecret)]).toEqual([1, 0])
    expect([await asked(unknown), await asked(unknown)]).toEqual([1, 0])
  })

  it('refuses uncached keys with 429, without a look-up, if an address has failed too often [ERR-39]', async () => {
    const { ask, exhaust, token, lookUps } = setUp()
    exhaust(PEER)
    for (const uncached of [issueKey().token, issueWithIdOf(token), 'unheard-of', token])
      expect(await ask(uncached)).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    expect(lookUps()).toBe(0)
    expect(codeOf(await ask('unheard-of', OTHER_PEER))).toBe('UNAUTHENTICATED')
  })

  it('accepts a key that was looked up before, even long ago, however often the address has failed', async () => {
    const { ask, authenticator, exhaust, token, pass } = setUp()
    await ask(token)
    exhaust(PEER)
    expect(codeOf(await ask(token))).toBe('let in')
    authenticator.forget()
    expect(codeOf(await ask(token))).toBe('let in')
    pass(60_000)
    exhaust(PEER)
    expect(codeOf(await ask(token))).toBe('let in')
    expect(codeOf(await ask(issueWithIdOf(token)))).toBe('RATE_LIMITED')
  })

  it('counts an address’s wrong keys, but neither valid keys nor requests without a key', async () => {
    const { ask, authenticator, failureLimit, token } = setUp()
    const calls = vi.spyOn(failureLimit, 'count')
    await Promise.all(Array.from({ length: 5 }, () => ask(token)))
    await authenticator.authenticate(undefined, PEER)
    expect(calls).not.toHaveBeenCalled()
    for (const wrong of ['unheard-of', 'unheard-of', issueWithIdOf(token)]) await ask(wrong, OTHER_PEER)
    expect(calls.mock.calls).toEqual([[OTHER_PEER], [OTHER_PEER], [OTHER_PEER]])
  })

  it('applies a change at once after the cache is cleared', async () => {
    const { ask, add, authenticator, token } = setUp()
    await ask(token)
    add(token, { revokedAt: new Date(START) })
    authenticator.forget()
    expect(codeOf(await ask(token))).toBe('UNAUTHENTICATED')
  })

  it('does not cache a look-up that began before the cache was cleared', async () => {
    const { ask, add, authenticator, token, holdLookUps } = setUp()
    const answerLookUps = holdLookUps()
    const first = ask(token)
    add(token, { revokedAt: new Date(START) })
    authenticator.forget()
    answerLookUps()
    await first
    expect(codeOf(await ask(token))).toBe('UNAUTHENTICATED')
  })

  it('passes on a database failure, and looks up again afterwards', async () => {
    const { ask, token, fail } = setUp()
    fail(new DatabaseUnavailable())
    await expect(ask(token)).rejects.toThrow(DatabaseUnavailable)
    fail(null)
    expect(codeOf(await ask(token))).toBe('let in')
  })

  it('reports whether the key of a caller is still valid', async () => {
    const { ask, add, authenticator, token, pass } = setUp()
    const caller = await ask(token)
    if ('code' in caller) throw new Error(caller.code)
    expect(await authenticator.isStillValid(caller)).toBe(true)
    add(token, { revokedAt: new Date(START) })
    pass(3001)
    expect(await authenticator.isStillValid(caller)).toBe(false)
  })
})
