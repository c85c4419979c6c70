import assert from 'node:assert/strict'
import type { Admission } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { expectRefusal, expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'
import { countInputs } from './keyed-operations.ts'

/** A content. `SAME_CONTENT` has other encodings of it. */
const FIRST =
  '{"expected_generation":1,"input":{"text":"a b é","data":{"n":1,"list":[1,2,{"x":true,"y":null}],"s":"1","o":{"p":{},"q":[]}}}}'

const data = (text: string): string => `{"expected_generation":1,"input":{"text":"a b é","data":${text}}}`

const SAME_CONTENT: Readonly<Record<string, string>> = {
  'white space between the tokens': JSON.stringify(JSON.parse(FIRST), null, '\t').replaceAll('\n', ' \r\n'),
  'another order of members at the top level': FIRST.replace('"expected_generation":1,', '').replace(
    /\}$/,
    ',"expected_generation":1}',
  ),
  'another order of nested members': data('{"o":{"q":[],"p":{}},"s":"1","list":[1,2,{"y":null,"x":true}],"n":1}'),
  'an escaped letter': FIRST.replace('é', '\\u00e9').replace('"text"', '"\\u0074ext"'),
}

const OTHER_CONTENT: Readonly<Record<string, string>> = {
  'another text': FIRST.replace('a b é', 'a c é'),
  'white space within a text': FIRST.replace('a b é', 'a  b é'),
  'white space after a text': FIRST.replace('a b é', 'a b é '),
  'another letter case in a text': FIRST.replace('a b é', 'A b é'),
  'another Unicode composition of a letter': FIRST.replace('é', 'e\u0301'),
  'another order of a list': data('{"n":1,"list":[2,1,{"x":true,"y":null}],"s":"1","o":{"p":{},"q":[]}}'),
  'another nested number': data('{"n":1,"list":[1,3,{"x":true,"y":null}],"s":"1","o":{"p":{},"q":[]}}'),
  'another nested boolean': data('{"n":1,"list":[1,2,{"x":false,"y":null}],"s":"1","o":{"p":{},"q":[]}}'),
  'null left out': data('{"n":1,"list":[1,2,{"x":true}],"s":"1","o":{"p":{},"q":[]}}'),
  'a number as a string': data('{"n":"1","list":[1,2,{"x":true,"y":null}],"s":"1","o":{"p":{},"q":[]}}'),
  'a string as a number': data('{"n":1,"list":[1,2,{"x":true,"y":null}],"s":1,"o":{"p":{},"q":[]}}'),
  'an empty object as an empty list': data('{"n":1,"list":[1,2,{"x":true,"y":null}],"s":"1","o":{"p":[],"q":[]}}'),
  'a list as an object': data('{"n":1,"list":{"0":1,"1":2,"2":{"x":true,"y":null}},"s":"1","o":{"p":{},"q":[]}}'),
  'another letter case in a name': data('{"N":1,"list":[1,2,{"x":true,"y":null}],"s":"1","o":{"p":{},"q":[]}}'),
  'a flattened member': data('{"n":1,"list":[1,2,{"x":true,"y":null}],"s":"1","o.p":{},"o":{"q":[]}}'),
  'one member more': data('{"n":1,"list":[1,2,{"x":true,"y":null}],"s":"1","o":{"p":{},"q":[]},"z":0}'),
  'one member less': data('{"n":1,"list":[1,2,{"x":true,"y":null}],"s":"1"}'),
  'the data left out': '{"expected_generation":1,"input":{"text":"a b é"}}',
  'the text left out': FIRST.replace('"text":"a b é",', ''),
}

/** Sends one content, then equal spellings and different contents under the same key. */
export async function expectExecutedOnce(t: ServerContext, conversationId: string): Promise<void> {
  const key = t.fresh()
  const send = (body: string): Promise<Answer<Admission>> =>
    t.me.postText(`/conversations/${conversationId}/messages`, body, { key })
  const first = expectStatus(await send(FIRST), 202).body
  for (const [what, body] of Object.entries(SAME_CONTENT)) {
    const again = await send(body)
    assert.equal(again.status, 202, `${what}: the content is the same, but it was answered with ${again.text}`)
    assert.equal(again.body.run_id, first.run_id, `${what}: the content is the same, but it was executed again`)
  }
  for (const [what, body] of Object.entries(OTHER_CONTENT)) {
    const answer = await send(body)
    assert.equal(answer.status, 409, `${what}: another content under the same key was answered with ${answer.text}`)
    expectRefusal(answer, 409, 'IDEMPOTENCY_CONFLICT')
  }
  const tooLate = `${FIRST.slice(0, -1)},"start_before":"${new Date(t.now() + 200_000).toISOString()}"}`
  expectRefusal(await send(tooLate), 409, 'IDEMPOTENCY_CONFLICT')
  assert.equal(await countInputs(t.me, conversationId), 1)
}
