import { describe, expect, it } from 'vitest'
import { equalHashes, identifyKey, idOfKey, issueKey } from '../domain/api-key.ts'
import type { KeyOfApp } from '../store/api-keys.ts'
import type { Queryable } from '../store/db.ts'
import { DatabaseUnavailable } from '../store/db.ts'
import type { Caller } from './authenticate.ts'
import { createAuthenticator, createOperatorGate } from './authenticate.ts'

const START = Date.parse('2026-03-01T00:00:00.000Z')

/** A database with keys in it that counts look-ups, and answers them when the test says so. */
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
  const authenticator = createAuthenticator(db, { now: () => new Date(nowMs) })
  return {
    ...issued,
    add,
    authenticator,
    ask: async (token: string) => authenticator.authenticate(`Bearer ${token}`),
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
    ['a key with other than visible ASCII', 'Bearer gk_\u00e4_b'],
  ])('takes %s as no key, without a look-up [AUTH-16]', (_, header) => {
    const { authenticator, lookUps } = setUp()
    expect(authenticator.authenticate(header)).toMatchObject({ kind: 'refused', code: 'UNAUTHENTICATED' })
    expect(lookUps()).toBe(0)
  })

  it('takes the scheme in any letter case', async () => {
    const { authenticator, token } = setUp()
    expect(codeOf(await authenticator.authenticate(`bEARER ${token}`))).toBe('let in')
  })

  it('refuses an unknown key and a wrong secret alike [AUTH-17]', async () => {
    const { ask, token } = setUp()
    const wrongSecret = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    const answers = [await ask(issueKey().token), await ask(wrongSecret), await ask('unheard-of')]
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

  it('refuses every key of a disabled application with 403 [AUTH-21]', async () => {
    const { ask, add } = setUp()
    add('of-disabled', { appState: 'disabled' })
    expect(codeOf(await ask('of-disabled'))).toBe('PERMISSION_DENIED')
  })

  it('believes a key for 3 seconds without asking again, and no longer [AUTH-15]', async () => {
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

  it('answers a key that it knows at once, without a promise', async () => {
    const { ask, authenticator, token } = setUp()
    await ask(token)
    expect(authenticator.authenticate(`Bearer ${token}`)).not.toBeInstanceOf(Promise)
  })

  it('asks once for a key that many requests bring at the same time', async () => {
    const { ask, token, lookUps } = setUp()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(token)))
    expect(answers.map(codeOf)).toEqual(Array(50).fill('let in'))
    expect(lookUps()).toBe(1)
  })

  it('does not remember that a key is unknown, so that a new one works at once', async () => {
    const { ask, add } = setUp()
    expect(codeOf(await ask('new'))).toBe('UNAUTHENTICATED')
    add('new')
    expect(codeOf(await ask('new'))).toBe('let in')
  })

  it('knows a change at once after it was told to forget', async () => {
    const { ask, add, authenticator, token } = setUp()
    await ask(token)
    add(token, { revokedAt: new Date(START) })
    authenticator.forget()
    expect(codeOf(await ask(token))).toBe('UNAUTHENTICATED')
  })

  it('does not keep what a look-up read before it was told to forget', async () => {
    const { ask, add, authenticator, token, holdLookUps } = setUp()
    const answerLookUps = holdLookUps()
    const first = ask(token)
    add(token, { revokedAt: new Date(START) })
    authenticator.forget()
    answerLookUps()
    await first
    expect(codeOf(await ask(token))).toBe('UNAUTHENTICATED')
  })

  it('lets the database speak for itself when it is away, and asks again afterwards', async () => {
    const { ask, token, fail } = setUp()
    fail(new DatabaseUnavailable())
    await expect(ask(token)).rejects.toThrow(DatabaseUnavailable)
    fail(null)
    expect(codeOf(await ask(token))).toBe('let in')
  })

  it('says of a caller whether its key is still valid', async () => {
    const { ask, add, authenticator, token, pass } = setUp()
    const caller = await ask(token)
    if ('code' in caller) throw new Error(caller.code)
    expect(await authenticator.isStillValid(caller)).toBe(true)
    add(token, { revokedAt: new Date(START) })
    pass(3001)
    expect(await authenticator.isStillValid(caller)).toBe(false)
  })
})

describe('the operator gate', () => {
  it('lets in who presents the admin token, and nobody else [ADMIN-02]', () => {
    const gate = createOperatorGate('open-sesame')
    expect(gate('Bearer open-sesame')).toBeNull()
    for (const header of [undefined, '', 'Bearer open-sesam', 'Bearer open-sesame1', 'open-sesame', 'Bearer gk_a_b'])
      expect(gate(header)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('lets nobody in where there is no admin token', () => {
    for (const header of [undefined, 'Bearer ', 'Bearer null']) expect(createOperatorGate(null)(header)).not.toBeNull()
  })
})
