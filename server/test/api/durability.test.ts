import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '../../src/store/db.ts'
import type { Answer } from '../support/client.ts'
import { ended, eventually, script } from '../support/client.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { startRunningGateway } from '../support/running-gateway.ts'

/**
 * Triggers that record the durability of each transaction that writes a message. Depending on the message's text, they
 * also make the commit wait for a lock or fail.
 */
const WATCH = `
create table commits (text text, synchronous_commit text);
create function note() returns trigger language plpgsql as $$ begin
  insert into commits values (new.text, current_setting('synchronous_commit'));
  return null;
end $$;
create function at_commit() returns trigger language plpgsql as $$ begin
  if new.text = 'waits' then perform pg_advisory_xact_lock(4711); end if;
  if new.text = 'fails' then raise exception 'the commit fails'; end if;
  return null;
end $$;
create trigger note after insert or update of text on messages for each row execute function note();
create constraint trigger at_commit after insert on messages deferrable initially deferred
  for each row execute function at_commit();`

const WAITING = `select count(*)::integer as count from pg_locks where locktype = 'advisory' and not granted`
const NOTES: Statement = { name: 'test_notes', access: 'read', text: 'select text, synchronous_commit from commits' }
const CHANGED_SETTINGS: Statement = {
  name: 'test_changed_settings',
  access: 'read',
  text: `select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit') and source not in ('default', 'configuration file', 'command line')`,
}

onPostgres('an admission', (database) => {
  let running: Awaited<ReturnType<typeof startRunningGateway>>
  beforeAll(async () => {
    running = await startRunningGateway(database)
    await database.db.exec(WATCH)
  })
  afterAll(() => running.stop())

  const begin = async () => {
    const client = running.client()
    return { client, id: (await client.createConversation()).body.conversation_id }
  }

  test('is not answered before its commit [OPS-10]', async () => {
    const { client, id } = await begin()
    const holder = new Client(database.url)
    await holder.connect()
    await holder.query('select pg_advisory_lock(4711)')
    let answer: Answer<Admission> | null = null
    const sent = client.send(id, { text: 'waits' }).then((given) => {
      answer = given
    })
    // The rows are written, and the commit waits for the lock.
    await eventually(
      () => holder.query(WAITING),
      ({ rows }) => rows[0]?.count === 1,
    )
    expect((await client.history(id)).body.messages).toEqual([])
    expect(answer).toBeNull()
    await holder.query('select pg_advisory_unlock(4711)')
    await holder.end()
    await sent
    expect(answer).toMatchObject({ status: 202 })
    expect((await client.history(id)).body.messages[0]).toMatchObject({ content: { text: 'waits' } })
  })

  test('is a 500 without any effect if its commit fails [OPS-10]', async () => {
    const { client, id } = await begin()
    const direct = { conversation_key: 'fails', input: { text: 'fails' } }
    const answers = [
      await client.send(id, { text: 'fails' }),
      await client.post('/api/v1/agent-endpoints/ep_script/runs', direct),
    ]
    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    expect((await client.snapshot(id)).body).toMatchObject({ watermark: 0, messages: [], runs: [] })
    // The database connection still works.
    expect((await client.send(id, { text: 'goes well' })).status).toBe(202)
  })

  test('has the durability that PostgreSQL is configured with, and so do the writes of its run [OPS-11]', async () => {
    const { client, id } = await begin()
    const { body } = await client.send(id, { ...script({ delta: 'written ' }, { delta: 'durably' }), text: 'durable' })
    await ended(client, body.run_id)
    const notes = await database.db.query<{ text: string; synchronous_commit: string }>(NOTES, [])
    expect(notes.map(({ text }) => text)).toEqual(expect.arrayContaining(['durable', 'written durably']))
    expect(new Set(notes.map(({ synchronous_commit }) => synchronous_commit))).toEqual(new Set(['on']))
    expect(await database.db.query(CHANGED_SETTINGS, [])).toEqual([])
  })
})
