import type { Mutant } from '../mutant.ts'
import { inAnswers, inContract, inStatus } from './places.ts'

const admitted = (change: string) => inAnswers(['sendMessage'], change)

/** Messages that are accepted, refused or answered wrongly. */
export const messageMutants: readonly Mutant[] = [
  {
    name: 'messages-admitted-with-200',
    rule: 'MSG-01',
    fault: 'A message is answered with 200.',
    ...inStatus(['sendMessage'], 200),
  },
  {
    name: 'messages-unknown-fields',
    rule: 'MSG-02',
    also: ['GEN-13', 'MSG-18', 'ERR-01'],
    fault: 'Unknown fields of a message are ignored.',
    ...inContract('schemas.SendMessage.additionalProperties = true'),
  },
  {
    name: 'messages-any-generation',
    rule: 'MSG-03',
    fault: 'A message without `expected_generation` is admitted.',
    ...inContract("schemas.SendMessage.required = ['input']"),
  },
  {
    name: 'messages-generation-as-text',
    rule: 'MSG-04',
    fault: 'A generation may be a string.',
    ...inContract("schemas.SendMessage.properties.expected_generation = { type: ['integer', 'string'] }"),
  },
  {
    name: 'messages-input-of-any-kind',
    rule: 'MSG-06',
    fault: '`input` may be anything.',
    ...inContract('schemas.SendMessage.properties.input = {}'),
  },
  {
    name: 'messages-empty-input',
    rule: 'MSG-07',
    also: ['HOOK-26'],
    fault: 'An input without content is accepted.',
    ...inContract('delete schemas.MessageInput.anyOf'),
  },
  {
    name: 'messages-short-texts',
    rule: 'MSG-08',
    also: ['LIMIT-03'],
    fault: 'A text has at most 65,535 bytes.',
    ...inContract("schemas.MessageInput.properties.text['x-max-bytes'] = 65535"),
  },
  {
    name: 'messages-omitted-text-filled-in',
    rule: 'MSG-09',
    fault: 'An omitted text becomes a non-empty text.',
    file: 'server/src/gateway/send-message.ts',
    find: 'text: input.text ?? null',
    replace: "text: input.text ?? '(no text)'",
  },
  {
    name: 'messages-data-of-any-kind',
    rule: 'MSG-10',
    fault: '`data` may be a list.',
    ...inContract("schemas.MessageInput.properties.data = { type: ['object', 'array'], 'x-verbatim': true }"),
  },
  {
    name: 'messages-six-attachments',
    rule: 'MSG-11',
    also: ['LIMIT-04'],
    fault: 'Six attachments are accepted.',
    ...inContract('schemas.MessageInput.properties.resource_ids.maxItems = 6'),
  },
  {
    name: 'messages-local-times',
    rule: 'MSG-14',
    fault: 'A start deadline without a timezone is accepted.',
    ...inContract('delete schemas.SendMessage.properties.start_before.format'),
  },
  {
    name: 'messages-late-default',
    rule: 'MSG-17',
    fault: 'Without `start_before` a run may start for twice as long.',
    file: 'openapi/src/behaviour/start-deadline.ts',
    find: '  if (requested === undefined) return latest\n',
    replace: '  if (requested === undefined) return new Date(now.getTime() + 2 * windowMs)\n',
  },
  {
    name: 'messages-body-limit',
    rule: 'MSG-19',
    also: ['LIMIT-01'],
    fault: 'A request of exactly 1 MiB is too large.',
    file: 'server/src/http/guard.ts',
    find: "Number(request.headers['content-length']) > maxBodyBytes",
    replace: "Number(request.headers['content-length']) >= maxBodyBytes",
  },
  {
    name: 'messages-no-message-id',
    rule: 'MSG-26',
    fault: 'The admission does not name the message.',
    ...admitted('delete body.message_id'),
  },
  {
    name: 'messages-admitted',
    rule: 'MSG-27',
    fault: '`state` of an admission is `admitted`.',
    ...admitted("body.state = 'admitted'"),
  },
  {
    name: 'messages-run-id-of-the-message',
    rule: 'RUN-02',
    fault: 'The admission names a run that does not exist.',
    ...admitted("body.run_id = body.message_id.replace('msg_', 'run_')"),
  },
]
