import { types } from 'pg'
import { expect, it } from 'vitest'
import { rowTypes } from './row-types.ts'

it.each(['JSON', 'JSONB'] as const)('reads names in %s correctly after another text was parsed', (type) => {
  JSON.parse('{"first":1,"\\\\":2}')
  expect(rowTypes.getTypeParser(types.builtins[type])('{"first":1,"\\n":2}')).toEqual({ first: 1, '\n': 2 })
})
