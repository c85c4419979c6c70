import type {
  CancelRun,
  CreateConversation,
  CreateResource,
  CreateRun,
  MessageInput,
  ResetConversation,
  SendMessage,
} from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import type { Rule, Shape } from './shapes.ts'
import { fault, integer, isObject, isWellFormed, object, optional, required, text } from './shapes.ts'

/** What the contract demands of each JSON body. A member that the contract gains is a compile error here. */

const TEXT_BYTES = 64 * 1024
const ATTACHMENTS = 5
/** Objects and arrays within each other, `data` itself included. */
const DATA_LEVELS = 128

/** Code points, as the contract counts. */
const characters = (value: string): number => [...value].length

const generation = integer(1, Number.MAX_SAFE_INTEGER)

const conversationKey = text(
  (key) => key !== '' && characters(key) <= 256 && key === key.trim(),
  'must have 1 to 256 characters and no surrounding white space',
)

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})$/
const dateTime = text(
  (moment) => RFC_3339.test(moment) && !Number.isNaN(Date.parse(moment)) && isDay(moment.slice(0, 10)),
  'must be an RFC 3339 timestamp with a timezone',
)

/** `Date` takes the 30th of February for a day in March. */
const isDay = (day: string): boolean => new Date(day).toISOString().startsWith(day)

const data: Rule = (value, pointer) => {
  if (!isObject(value)) return fault(pointer, 'must be an object')
  return isStorable(value, DATA_LEVELS)
    ? []
    : fault(pointer, `has a lone surrogate or NUL, or is nested more than ${DATA_LEVELS} levels deep`)
}

const isStorable = (value: unknown, levels: number): boolean => {
  if (typeof value === 'string') return isWellFormed(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    levels > 0 && Object.entries(value).every(([name, member]) => isWellFormed(name) && isStorable(member, levels - 1))
  )
}

const resourceIds: Rule = (value, pointer) => {
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string' && isWellFormed(id)))
    return fault(pointer, 'must be a list of IDs')
  if (value.length > ATTACHMENTS) return fault(pointer, `must have at most ${ATTACHMENTS} items`)
  return value.flatMap((id, index) =>
    value.indexOf(id) < index ? fault(`${pointer}/${index}`, 'repeats an earlier item') : [],
  )
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

const messageInput = object<MessageInput>(
  {
    text: optional(
      text(
        (input) => new TextEncoder().encode(input).length <= TEXT_BYTES,
        'must be a string of at most 64 KiB of UTF-8',
      ),
    ),
    data: optional(data),
    resource_ids: optional(resourceIds),
  },
  (value, pointer) =>
    isObject(value) && Object.values(value).every(isEmpty)
      ? fault(pointer, 'needs at least one non-empty member of text, data, resource_ids')
      : [],
)

export const createConversationBody: Shape<CreateConversation> = object<CreateConversation>({
  endpoint_id: required(text((id) => id !== '', 'must be a string that is not empty')),
  conversation_key: optional(conversationKey),
})

export const sendMessageBody: Shape<SendMessage> = object<SendMessage>({
  expected_generation: required(generation),
  input: required(messageInput.faultsOf),
  start_before: optional(dateTime),
})

export const createRunBody: Shape<CreateRun> = object<CreateRun>(
  {
    input: required(messageInput.faultsOf),
    conversation_key: optional(conversationKey),
    expected_generation: optional(generation),
    start_before: optional(dateTime),
  },
  (value, pointer) =>
    isObject(value) && 'expected_generation' in value && !('conversation_key' in value)
      ? fault(`${pointer}/expected_generation`, 'needs conversation_key')
      : [],
)

export const cancelRunBody: Shape<CancelRun> = object<CancelRun>({})

export const resetConversationBody: Shape<ResetConversation> = object<ResetConversation>({
  expected_generation: required(generation),
  busy_policy: optional(
    text((policy) => policy === 'reject' || policy === 'cancel_and_reset', 'must be one of reject, cancel_and_reset'),
  ),
})

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|"[ !#-\\[\\]-~]*"))*$`)

export const createResourceBody: Shape<CreateResource> = object<CreateResource>({
  filename: required(
    text(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the contract excludes them
      (name) => name !== '' && characters(name) <= 255 && !/[/\\\x00-\x1f\x7f-\x9f]/.test(name),
      'must be a plain file name of 1 to 255 characters',
    ),
  ),
  content_type: required(text((type) => type.length <= 255 && MEDIA_TYPE.test(type), 'must be a media type')),
  size: required(integer(1, LIMITS.attachmentBytes)),
  sha256: optional(text((hash) => /^[0-9a-f]{64}$/.test(hash), 'must be 64 lower-case hexadecimal digits')),
})
