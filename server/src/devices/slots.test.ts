import { expect, it } from 'vitest'
import { createSlots } from './slots.ts'

it('each device has slots of its own', () => {
  const slots = createSlots({ runConcurrency: 2, heldRuns: 10 })
  slots.take('one')
  slots.take('one')
  expect([slots.free('one'), slots.free('two')]).toEqual([0, 2])
  slots.giveBack('one')
  expect(slots.free('one')).toBe(1)
})

it('a run that waits for an approval needs no slot, and takes none too many when it goes on', () => {
  const slots = createSlots({ runConcurrency: 1, heldRuns: 10 })
  slots.take('one')
  slots.rest('one')
  expect(slots.free('one')).toBe(1)
  slots.take('one')
  slots.goOn('one')
  expect(slots.free('one')).toBe(0)
  slots.giveBack('one')
  expect(slots.free('one')).toBe(0)
  slots.giveBack('one')
  expect(slots.free('one')).toBe(1)
})

it('no device has more runs in hand than it may, however many of them wait', () => {
  const slots = createSlots({ runConcurrency: 5, heldRuns: 3 })
  for (let taken = 0; taken < 3; taken += 1) {
    slots.take('one')
    slots.rest('one')
  }
  expect([slots.free('one'), slots.free('two')]).toEqual([0, 3])
})
