import { describe, expect, it } from 'vitest'
import { fitPointer, pointerTo } from './pointer.ts'

describe('a pointer', () => {
  it('leads through names and indexes, with their special characters escaped', () => {
    expect(pointerTo([])).toBe('')
    expect(pointerTo(['a/b', 0, 'c~d', ''])).toBe('/a~1b/0/c~0d/')
  })

  it('has a replacement for each lone surrogate of a name', () => {
    expect(pointerTo(['x\ud800'])).toBe('/x\ufffd')
  })

  it('that is too long is shortened to an ancestor', () => {
    expect(fitPointer(`/a/${'x'.repeat(2000)}`)).toBe('/a')
    expect(fitPointer(`/${'x'.repeat(2000)}`)).toBe('')
    expect(fitPointer('/a/b')).toBe('/a/b')
  })
})
