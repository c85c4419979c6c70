import { expect, it } from 'vitest'
import { createValidator } from '../src/document/validator.ts'

const isDateTime = createValidator({}).compile({ type: 'string', format: 'date-time' })

it.each([
  '2026-03-02T10:33:00Z',
  '2026-03-02t10:33:00z',
  '2026-03-02T10:33:00.123456+02:00',
  '2026-03-02T10:33:00-00:30',
])('takes %s as an RFC 3339 time', (text) => expect(isDateTime(text)).toBe(true))

it.each(['+0200', '+02', '+2:00', '02:00', '+02:0', '+02:00:00', '', '+24:00'])(
  'refuses a time with the offset %j',
  (offset) => expect(isDateTime(`2026-03-02T10:33:00${offset}`)).toBe(false),
)
