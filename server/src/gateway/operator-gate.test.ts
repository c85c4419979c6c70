import { describe, expect, it } from 'vitest'
import { createStrangerLimit } from './limit-strangers.ts'
import { createOperatorGate } from './operator-gate.ts'

const PEER = { ip: '192.0.2.1' }
const OTHER_PEER = { ip: '192.0.2.2' }
const clock = { now: () => new Date('2026-03-01T00:00:00.000Z') }

describe('the operator gate', () => {
  it('lets in who presents the admin token, and nobody else [ADMIN-02]', () => {
    const gate = createOperatorGate('open-sesame', createStrangerLimit(clock))
    expect(gate('Bearer open-sesame', PEER)).toBeNull()
    for (const header of [undefined, '', 'Bearer open-sesam', 'Bearer open-sesame1', 'open-sesame', 'Bearer gk_a_b'])
      expect(gate(header, PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('lets nobody in where there is no admin token', () => {
    const gate = createOperatorGate(null, createStrangerLimit(clock))
    for (const header of [undefined, 'Bearer ', 'Bearer null']) expect(gate(header, PEER)).not.toBeNull()
  })

  it('refuses an address with 429 that has shown too many wrong tokens, and still knows the right one [ERR-39]', () => {
    const gate = createOperatorGate('open-sesame', createStrangerLimit(clock))
    for (let guess = 0; guess < 500; guess += 1)
      expect(gate(`Bearer ${guess}`, PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(gate('Bearer 500', PEER)).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    expect(gate('Bearer 500', OTHER_PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(gate('Bearer open-sesame', PEER)).toBeNull()
    expect(gate(undefined, PEER)).toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})
