import { expect, test } from 'vitest'
import { accessOf } from './statement-access.ts'

const access = (text: string) => accessOf({ name: 'any', text })

test.each([
  'select 1',
  '\n  SELECT updated_at, deleted_at, "offset", settings from runs where state = $1',
  'with due as (select 1) select * from due',
  'select count(*) from conversations c join runs r on true group by 1 order by 2',
])('%s only reads', (text) => expect(access(text)).toBe('read'))

test.each([
  'insert into runs values (1)',
  'with found as (select 1) update runs set state = 1',
  'with gone as (delete from runs returning 1) select * from gone',
  'select * from runs for update skip locked',
  'select * from runs for no key update',
  'select 1 from resources for key share',
  'select pg_advisory_xact_lock(1)',
  'select pg_try_advisory_lock(1)',
  "select pg_notify('a', 'b')",
  "select set_config('a', 'b', true)",
  'set local plan_cache_mode to force_custom_plan',
  'vacuum (analyze)',
  'do $$ begin end $$',
  'call something()',
])('%s may change something, or wait', (text) => expect(access(text)).toBe('write'))

test('a statement is looked at once', () => {
  let looks = 0
  const statement = {
    name: 'counted',
    get text() {
      looks += 1
      return 'select 1'
    },
  }
  expect([accessOf(statement), accessOf(statement)]).toEqual(['read', 'read'])
  expect(looks).toBe(1)
})
