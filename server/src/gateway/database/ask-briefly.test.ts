import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../store/db.ts'
import { askBriefly } from './ask-briefly.ts'

const NEVER = 60_000

test('a call during a pending query shares its answer, and a later call starts a new query', async () => {
  let asked = 0
  const answers: ((answer: string) => void)[] = []
  const ask = askBriefly(() => {
    asked += 1
    return new Promise<string>((resolve) => answers.push(resolve))
  }, NEVER)
  const both = [ask(), ask()]
  answers[0]?.('first')
  expect(await Promise.all(both)).toEqual(['first', 'first'])
  const later = ask()
  answers[1]?.('second')
  expect(await later).toBe('second')
  expect(asked).toBe(2)
})

test('no call waits longer than the timeout, and a pending query is not repeated', async () => {
  let asked = 0
  const ask = askBriefly(() => {
    asked += 1
    return new Promise<string>(() => {})
  }, 1)
  await expect(ask()).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(ask()).rejects.toThrow('has not answered for 1 ms')
  expect(asked).toBe(1)
})

test('a failure is passed on, and the next call starts a new query', async () => {
  let asked = 0
  const ask = askBriefly(async () => {
    asked += 1
    if (asked === 1) throw new Error('once')
    return 'well'
  }, NEVER)
  await expect(ask()).rejects.toThrow('once')
  expect(await ask()).toBe('well')
})
