import { describe, expect, it } from 'vitest'
import { describeSettings, readConfig } from './config.ts'

describe('the description of the settings', () => {
  it('names each variable once and describes it', () => {
    const names = describeSettings().map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { description } of describeSettings()) expect(description).toMatch(/^.{20,}\.$/)
  })

  it('shows valid defaults that are equal to the effective ones', () => {
    const defaults = describeSettings().flatMap((text) =>
      text.default === undefined ? [] : [[text.name, text.default]],
    )
    expect(readConfig(Object.fromEntries(defaults))).toEqual(readConfig({}))
  })
})
