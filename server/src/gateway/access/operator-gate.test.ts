import { describe, expect, it } from 'vitest'
import { issueOperatorToken } from '../../domain/operator-token.ts'
import { createFailureLimit } from './limit-failures.ts'
import type { FindOperator } from './operator-gate.ts'
import { createOperatorGate } from './operator-gate.ts'

const PEER = { ip: '192.0.2.1' }
const OTHER_PEER = { ip: '192.0.2.2' }
const clock = { now: () => new Date('2026-03-01T00:00:00.000Z') }

const findsNone: FindOperator = async () => null

describe('the operator gate', () => {
  it('accepts only the admin token [ADMIN-02]', () => {
    const gate = createOperatorGate('open-sesame', findsNone, createFailureLimit(clock))
    expect(gate('Bearer open-sesame', PEER)).toMatchObject({ role: 'admin', operatorId: null })
    for (const header of [undefined, '', 'Bearer open-sesam', 'Bearer open-sesame1', 'open-sesame', 'Bearer gk_a_b'])
      expect(gate(header, PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('looks up well-formed operator tokens, and counts unknown ones as failures [ADMIN-20]', async () => {
    const night = { operatorId: 'opr_1', name: 'Night shift', role: 'operate', mayReadText: false } as const
    const { token, hash } = issueOperatorToken(clock.now())
    let counted = 0
    const failureLimit = { refuse: () => null, count: () => counted++ }
    const find: FindOperator = async (asked) => (Buffer.from(asked).equals(hash) ? night : null)
    const gate = createOperatorGate('open-sesame', find, failureLimit)
    expect(await gate(`Bearer ${token}`, PEER)).toEqual(night)
    expect(counted).toBe(0)
    expect(await gate(`Bearer ${issueOperatorToken(clock.now()).token}`, PEER)).toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    expect(counted).toBe(1)
  })

  it('refuses every request if no admin token is set and no operator exists', () => {
    const gate = createOperatorGate(null, findsNone, createFailureLimit(clock))
    for (const header of [undefined, 'Bearer ', 'Bearer null'])
      expect(gate(header, PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('refuses an address with 429 after too many wrong tokens, and still accepts the right one [ERR-39]', () => {
    const gate = createOperatorGate('open-sesame', findsNone, createFailureLimit(clock))
    for (let guess = 0; guess < 500; guess += 1)
      expect(gate(`Bearer ${guess}`, PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(gate('Bearer 500', PEER)).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    expect(gate('Bearer 500', OTHER_PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(gate('Bearer open-sesame', PEER)).toMatchObject({ role: 'admin', operatorId: null })
    expect(gate(undefined, PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})
