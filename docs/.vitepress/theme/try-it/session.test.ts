import { describe, expect, it } from 'vitest'
import { inGeneration, keyInAddress, knownFrom } from './session.ts'

describe('values that an answer provides for later forms', () => {
  it('are the IDs and the generation of the answer', () => {
    expect(knownFrom('{"conversation_id":"conv_1","generation":2,"state":"active"}')).toEqual({
      conversation_id: 'conv_1',
      generation: '2',
    })
  })

  it.each(['', 'id: 1', '[]', 'null', '"conv_1"'])('are absent if the answer is not an object: %s', (body) => {
    expect(knownFrom(body)).toEqual({})
  })

  it('put the generation into the example of the next body', () => {
    expect(inGeneration('{\n  "expected_generation": 1\n}', '3')).toBe('{\n  "expected_generation": 3\n}')
    expect(inGeneration('{}', undefined)).toBe('{}')
  })
})

describe('the key of the demo', () => {
  it('is read only from the URL that npm start prints', () => {
    expect(keyInAddress('#key=gk_1_2')).toBe('gk_1_2')
    for (const hash of ['', '#create-conversation', '#key=', '#key=<script>']) expect(keyInAddress(hash)).toBe(null)
  })
})
