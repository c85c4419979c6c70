import type { Mutant } from '../mutant.ts'

const NUMBER_FAULT = 'server/src/domain/json/number-fault.ts'
const LIMITS = 'server/src/domain/json/limits.ts'
const READ_VALUE = 'server/src/domain/json/read-value.ts'
const PROBLEM = 'server/src/http/answers/problem.ts'

/** Faults in the validation of bodies and of values in them, and a wrong request rate. */
export const bodyMutants: readonly Mutant[] = [
  {
    name: 'bodies-integers-are-rounded',
    rule: 'REQ-14',
    fault: 'An integer that a double cannot represent is accepted and rounded.',
    file: NUMBER_FAULT,
    find: 'BigInt(number) === BigInt(literal) ? null : INEXACT',
    replace: 'BigInt(number) === BigInt(literal) ? null : null',
  },
  {
    name: 'bodies-no-integers-beyond-2-to-the-53',
    rule: 'REQ-14',
    fault: 'Integers beyond 2^53 are refused although a double can represent them.',
    file: NUMBER_FAULT,
    find: ' || BigInt(number) === BigInt(literal) ? null : INEXACT',
    replace: ' ? null : INEXACT',
  },
  {
    name: 'bodies-numbers-of-any-size',
    rule: 'REQ-15',
    fault: 'A number with an exponent may be of any size.',
    file: NUMBER_FAULT,
    find: 'if (isExponent(byte)) return isDouble(bytes, start, end) ? null : BEYOND',
    replace: 'if (isExponent(byte)) return null',
  },
  {
    name: 'bodies-short-fractions',
    rule: 'REQ-16',
    fault: 'A fraction of more than 20 characters is refused.',
    file: NUMBER_FAULT,
    find: '  if (isInteger) return integerFault(bytes, start, end)\n',
    replace: '  if (isInteger) return integerFault(bytes, start, end)\n  if (end - start > 20) return INEXACT\n',
  },
  {
    name: 'bodies-any-number-of-values',
    rule: 'REQ-17',
    fault: 'A body may have 1,000,000 values and members.',
    file: LIMITS,
    find: 'nodes: 50_000',
    replace: 'nodes: 1_000_000',
  },
  {
    name: 'bodies-few-values',
    rule: 'REQ-17',
    fault: 'A body may have at most 10,000 values and members.',
    file: LIMITS,
    find: 'nodes: 50_000',
    replace: 'nodes: 10_000',
  },
  {
    name: 'bodies-silent-about-more-faults',
    rule: 'ERR-40',
    fault: 'Faults beyond the twentieth are omitted without more_faults.',
    file: PROBLEM,
    find: '? { more_faults: true }',
    replace: '? {}',
  },
  {
    name: 'rates-without-burst',
    rule: 'LIMIT-25',
    fault: 'A key has no burst beyond its rate of one second.',
    file: 'server/src/domain/token-bucket.ts',
    find: '{ perSecond: 500, burst: 1000 }',
    replace: '{ perSecond: 500, burst: 500 }',
  },
  {
    name: 'bodies-webhooks-like-requests',
    rule: 'HOOK-71',
    fault: 'The whole body of a webhook must follow the rules for requests.',
    file: 'server/src/http/requests/json-body.ts',
    find: "  return 'fault' in json ? new UnusableJson([explain(json, limits)]) : json",
    replace:
      "  if ('fault' in json) return new UnusableJson([explain(json, limits)])\n  const odd = findJsonFaults(json, ROOT)\n  return odd.length > 0 ? new UnusableJson(odd) : json",
  },
  {
    name: 'bodies-webhooks-read-anything',
    rule: 'HOOK-72',
    fault: 'The value at a field path is accepted without checks.',
    file: READ_VALUE,
    find: '  if (faults.length > 0) return { faults }\n',
    replace: '',
  },
  {
    name: 'bodies-short-integration-subjects',
    rule: 'HOOK-74',
    fault: 'The subject of an integration is counted in UTF-16 units.',
    file: 'server/src/gateway/admin/webhooks.ts',
    find: '  const integrationId = body.integration_id ??',
    replace:
      "  if (body.subject.length > 256) return unknown('subject', body.subject)\n  const integrationId = body.integration_id ??",
  },
  {
    name: 'bodies-keys-without-control-characters',
    rule: 'CONV-26',
    fault: 'A conversation key may not contain control characters.',
    file: 'server/src/gateway/create-conversation.ts',
    find: "  if (endpoint === null) return notFound('service')",
    replace:
      "  if (endpoint === null || /\\p{Cc}/u.test(body.conversation_key ?? '')) return { kind: 'refused', code: 'INVALID_REQUEST', detail: 'no' }",
  },
]
