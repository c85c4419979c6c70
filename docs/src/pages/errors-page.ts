import type { ErrorEntry } from '../../../openapi/src/document/document.ts'
import { CONTRACTS, errorCodesOf, operationAddress } from '../contract.ts'
import { joined, json, page, prose } from '../markdown.ts'

/** Every error code, with its name as the anchor that the `type` of a problem links to (D-08). */
export const errorsPage = (): string => {
  const codes = new Map<string, ErrorEntry>()
  for (const { document } of CONTRACTS)
    for (const [code, entry] of Object.entries(document.components['x-errors'] ?? {})) codes.set(code, entry)
  return page({ title: 'Errors', description: 'Every error code: what happened, and what to do.', outline: '2' }, [
    'Every refusal is a [problem](/reference/http/objects/problem) of type `application/problem+json`. Branch on its `code` and log its `request_id`; its `type` links to the section on this page.',
    ...[...codes].map(([code, entry]) => section(code, entry)),
  ])
}

/** Further pages for a reader who looks up an error. */
const GUIDES: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: '[keys](/guides/applications-and-operators#applications-keys-services)',
  PERMISSION_DENIED:
    '[scopes](/guides/applications-and-operators#applications-keys-services), [what an operator can stop](/guides/operate-the-gateway#pause-and-stop)',
  GENERATION_CONFLICT: '[generations](/guides/cancel-and-reset#a-message-belongs-to-one-generation)',
  BUSY: '[resets](/guides/cancel-and-reset#reset-a-conversation), [conversation keys](/guides/history-and-snapshots#find-a-conversation-again), [attachments](/guides/attachments)',
  IDEMPOTENCY_CONFLICT: '[idempotency keys of your own](/guides/resume-after-a-crash#idempotency-keys-of-your-own)',
  WEBHOOK_CONFLICT: '[send webhooks](/guides/send-webhooks)',
  RETRY_REFUSED: '[callbacks that were refused](/guides/receive-callbacks#6-retry-a-refused-delivery)',
  CURSOR_EXPIRED: '[a lost stream](/guides/resume-after-a-crash#a-lost-stream)',
  QUEUE_FULL: '[when to retry](/guides/send-and-stream#when-to-retry)',
  PENDING_LIMIT: '[limits](/guides/operate-the-gateway#limits)',
  STREAM_LIMIT: '[limits](/guides/operate-the-gateway#limits), [streams](/guides/capacity#streams)',
  RATE_LIMITED: '[limits](/guides/operate-the-gateway#limits)',
  INTERNAL: '[a lost answer](/guides/resume-after-a-crash#a-lost-answer)',
  CAPABILITY_UNAVAILABLE:
    '[when to retry](/guides/send-and-stream#when-to-retry), [what an operator can stop](/guides/operate-the-gateway#pause-and-stop)',
  RUN_LOST: '[workers](/guides/bring-your-own-agent#what-can-go-wrong-with-a-worker)',
  ALREADY_DECIDED: '[approvals](/guides/write-an-assistant#approvals)',
}

const section = (
  code: string,
  { status, title, description, retryable, happened, final_for_key, tells_outcome }: ErrorEntry,
): string => {
  const example = CONTRACTS.map(({ document }) => document.components.examples?.[code]?.value).find(Boolean)
  return joined([
    `## ${code} {#${code}}`,
    `**${status} ${prose(title)}.** ${prose(description)}`,
    [
      retryable ? 'The same request may succeed later, under the same key.' : 'Retrying at once does not help.',
      happened === 'nothing'
        ? `The request had no effect${tells_outcome === true ? ', unless the problem says `outcome: unknown`' : ''}.`
        : 'It is unknown whether the request took effect: send it again under its key, or read the state.',
      ...(final_for_key === true ? ['No request with this key and this content was ever admitted.'] : []),
    ].join(' '),
    example === undefined ? '' : json(example),
    code in GUIDES ? `How to deal with it: ${GUIDES[code]}.` : '',
    answeredBy(code),
  ])
}

const answeredBy = (code: string): string => {
  const links = CONTRACTS.flatMap((contract) =>
    contract.operations
      .filter(({ operation }) => errorCodesOf(contract, operation).includes(code))
      .map(({ operation }) => `[${operation.operationId}](${operationAddress(contract, operation)})`),
  )
  return links.length === 0
    ? ''
    : `<details><summary>Operations that return this error (${links.length})</summary>\n\n${links.join(', ')}\n\n</details>`
}
