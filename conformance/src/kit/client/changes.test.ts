import { describe, expect, it } from 'vitest'
import { createChanges } from './changes.ts'

const LONG_MS = 60_000
const nothing = () => 'Nothing arrived'

describe('waiting for changes', () => {
  it('resolves with a value that is already there', async () => {
    await expect(createChanges().until(() => 1, LONG_MS, nothing)).resolves.toBe(1)
  })

  it('checks again after each change until there is a value', async () => {
    const changes = createChanges()
    let count = 0
    const waiting = changes.until(() => (count >= 2 ? count : undefined), LONG_MS, nothing)
    for (let times = 0; times < 3; times++) {
      count += 1
      changes.notify()
    }
    await expect(waiting).resolves.toBe(2)
  })

  it('rejects at the deadline with the description', async () => {
    await expect(createChanges().until(() => undefined, 1, nothing)).rejects.toThrow('Nothing arrived (waited 1 ms)')
  })

  it('rejects with the error that `find` throws', async () => {
    const find = () => {
      throw new Error('It has ended.')
    }
    await expect(createChanges().until(find, LONG_MS, nothing)).rejects.toThrow('It has ended.')
  })

  it('rejects all waits with the first failure, but still resolves with an available value', async () => {
    const changes = createChanges()
    const waiting = changes.until(() => undefined, LONG_MS, nothing)
    changes.fail(new Error('The process is gone.'))
    changes.fail(new Error('Another one.'))
    await expect(waiting).rejects.toThrow('The process is gone.')
    await expect(changes.until(() => undefined, LONG_MS, nothing)).rejects.toThrow('The process is gone.')
    await expect(changes.until(() => 1, LONG_MS, nothing)).resolves.toBe(1)
  })
})
