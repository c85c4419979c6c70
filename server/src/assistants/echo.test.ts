import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inputOf, play } from '../../test/support/play-assistant.ts'
import { echo } from './echo.ts'

const echoed = (text: string | null, data: Record<string, unknown> | null = null) =>
  play(echo, { input: inputOf({ text, data, resourceIds: [] }) })

it('returns any text unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const { steps } = await echoed(text)
      expect(steps.map((step) => Object(step).delta).join('')).toBe(text)
    }),
  )
})

it('streams data byte for byte, with the order of members and the white space unchanged', async () => {
  const dataText = '{"10": 1, "9": 2.0}'
  const { steps } = await play(echo, { input: { text: null, data: JSON.parse(dataText), dataText, resourceIds: [] } })
  expect(steps.map((step) => Object(step).delta).join('')).toBe(dataText)
})
