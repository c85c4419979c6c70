import { describe, expect, it } from 'vitest'
import { ADMIN_DOCUMENT, listCommands } from './contract.ts'
import { formatRecord, formatTable, isRecord } from './format-answer.ts'
import { itemsOf } from './list-all.ts'

const paint = (_style: string, text: string): string => text
const wide = { width: Infinity, paint }

const ADMIN_DELIVERIES = (ADMIN_DOCUMENT.components.schemas.Delivery?.examples ?? []).filter(isRecord)
const ROWS = [
  { app_id: 'app_1', run_id: 'run_1', state: 'pending', created_at: '2026-03-01T08:00:00.123Z', none: null, inner: {} },
  { app_id: 'app_1', run_id: 'run_22', state: 'done', created_at: '2026-03-01T08:00:01.000Z', none: null, inner: {} },
]

describe('A table', () => {
  it('has aligned columns: the ID, then texts, times and other IDs; it omits empty and composed members', () => {
    expect(formatTable(ROWS, { ...wide, id: 'run_id' }).text).toBe(
      [
        'RUN_ID  STATE    CREATED_AT            APP_ID',
        'run_1   pending  2026-03-01T08:00:00Z  app_1',
        'run_22  done     2026-03-01T08:00:01Z  app_1',
        '',
      ].join('\n'),
    )
  })

  it.each([3, 7, 16, 20, 40, 60])('fits a width of %i and names the omitted columns', (width) => {
    const { text, hidden } = formatTable(ROWS, { width, paint, id: 'run_id' })
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width)
    const shown = text.split('\n')[0]?.split(/ +/).length ?? 0
    expect(shown + hidden.length).toBe(4)
  })

  it('shows a composed member as its kind, code or message if all rows have one or none', () => {
    const rows = [
      { id: 'a', assistant: { type: 'openai', model: 'm' }, last_error: null, mixed: { type: 'x' } },
      {
        id: 'b',
        assistant: { type: 'echo' },
        last_error: { message: 'It was down.', status: 503 },
        mixed: { other: 1 },
      },
    ]
    expect(formatTable(rows, { ...wide, id: 'id' }).text).toBe(
      ['ID  ASSISTANT  LAST_ERROR', 'a   openai     -', 'b   echo       It was down.', ''].join('\n'),
    )
  })

  it('cuts long texts on a terminal only', () => {
    const rows = [{ name: 'x'.repeat(200) }]
    expect(formatTable(rows, { width: 80, paint }).text).toBe(`NAME\n${'x'.repeat(47)}…\n`)
    expect(formatTable(rows, wide).text).toContain('x'.repeat(200))
  })

  it('escapes terminal control characters', () => {
    const { text } = formatTable([{ name: 'a\u001b[2J\nb\u202e' }], wide)
    expect(text).toBe('NAME\na\\u{1b}[2J\\nb\\u{202e}\n')
  })
})

it('on a narrow terminal a delivery still has its state, event and attempts', () => {
  const { text } = formatTable(ADMIN_DELIVERIES, { width: 80, paint, id: 'delivery_id' })
  expect(text.split('\n')[0]).toBe('DELIVERY_ID                           STATE    EVENT_TYPE     SEQ  ATTEMPTS')
})

it('in 100 columns a run has its state, subject, error and time', () => {
  const runs = (ADMIN_DOCUMENT.components.schemas.RunRecord?.examples ?? []).filter(isRecord)
  const failed = runs.map((run) => ({ ...run, error: { code: 'ASSISTANT_ERROR', message: 'It failed.' } }))
  const { text } = formatTable(failed, { width: 100, paint, id: 'run_id' })
  expect(text.split('\n')[0]?.split(/ +/)).toEqual(['RUN_ID', 'STATE', 'SUBJECT', 'ERROR', 'CREATED_AT'])
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

it('in 100 columns a run keeps its error and time beside a long subject, a long state and a long code', () => {
  const [run] = (ADMIN_DOCUMENT.components.schemas.RunRecord?.examples ?? []).filter(isRecord)
  const long = {
    ...run,
    run_id: `run_${'0'.repeat(32)}`,
    app_id: 'app_with_a_name_that_is_longer_than_most_names_of_applications',
    subject: 'somebody.with.a.long.name@department.example.com',
    state: 'waiting_approval',
    error: { code: 'UPSTREAM_MODEL_CONTEXT_LENGTH_EXCEEDED', message: 'It failed.' },
  }
  const { text } = formatTable([long], { width: 100, paint, id: 'run_id' })
  expect(text.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['RUN_ID', 'STATE', 'SUBJECT', 'ERROR', 'CREATED_AT'],
    [long.run_id, 'waiting_approval', 'somebody.…', 'UPSTREAM_…', '2026-03-02T09:30:00Z'],
    [''],
  ])
})

/** Each list of the contract: its name, an example of a record, and the member that identifies a record. */
const LISTS = listCommands(ADMIN_DOCUMENT).flatMap(({ pagination }) => {
  if (pagination === null) return []
  const examples = Object.values(ADMIN_DOCUMENT.components.schemas).flatMap((schema) => schema.examples ?? [])
  const [record] = examples.filter(isRecord).flatMap((example) => itemsOf(example, pagination))
  return record === undefined ? [] : [[pagination.items, record, pagination.cursor.field] as const]
})

it('every list of the contract has an example to show', () => {
  expect(LISTS.length).toBe(listCommands(ADMIN_DOCUMENT).filter(({ pagination }) => pagination !== null).length)
})

it.each(LISTS)('a list fits 100 columns even with long texts: %s', (_, record, id) => {
  const long = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === 'string' ? value.padEnd(80, 'x') : value]),
  )
  for (const each of [record, { ...long, [id]: record[id] }]) {
    const { text } = formatTable([each], { width: 100, paint, id })
    const [heading = '', line = ''] = text.split('\n')
    expect(Math.max(heading.length, line.length)).toBeLessThanOrEqual(100)
    expect(line).toContain(String(record[id]))
  }
})

describe('A record', () => {
  it('has a line for each member, inner members by their path, and lists of records as tables', () => {
    const record = {
      delivery_id: 'dlv_1',
      last_error: { message: 'The receiver answered 503.', status: 503 },
      events: ['a', 'b'],
      next_attempt_at: null,
      attempt_log: [{ attempt: 1, status: 503 }],
    }
    expect(formatRecord(record, wide)).toBe(
      [
        'delivery_id         dlv_1',
        'last_error.message  The receiver answered 503.',
        'last_error.status   503',
        'events              a, b',
        'next_attempt_at     -',
        '',
        'attempt_log',
        'ATTEMPT  STATUS',
        '1        503',
        '',
      ].join('\n'),
    )
  })

  it('shows a secret separately, marked as shown only once', () => {
    expect(formatRecord({ key_id: 'key_1', key: 'gk_1_x', name: null }, wide)).toBe(
      'key_id  key_1\nname    -\n\nShown only now; keep it:\n  key  gk_1_x\n',
    )
  })
})
