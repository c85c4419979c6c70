import type { Mutant } from '../mutant.ts'
import { inRequests } from './places.ts'

const ATTEMPT = 'server/src/delivery/attempt.ts'
const RECORDS = 'server/src/gateway/admin/callbacks/callback-records.ts'
const URL_RULES = 'server/src/domain/callback-url.ts'
const TABLES = 'server/src/store/batch/tables.ts'

/** Callbacks that are configured, sent or recorded wrongly, and wrong limits of streams and retention. */
export const deliveryMutants: readonly Mutant[] = [
  {
    name: 'deliveries-id-of-each-try',
    rule: 'SIG-14',
    fault: 'A retried callback has another event ID.',
    file: ATTEMPT,
    find: "'webhook-id': eventId,",
    replace: "'webhook-id': delivery.attemptsEver > 1 ? `${eventId}.${delivery.attemptsEver}` : eventId,",
  },
  {
    name: 'deliveries-as-cloudevents',
    rule: 'SIG-05',
    fault: 'A callback has the Content-Type application/cloudevents+json.',
    file: ATTEMPT,
    find: "'content-type': 'application/json',",
    replace: "'content-type': 'application/cloudevents+json',",
  },
  {
    name: 'deliveries-signed-in-base64',
    rule: 'SIG-23',
    also: ['CB-06'],
    fault: 'Callbacks are signed in base64.',
    file: ATTEMPT,
    find: "'webhook-signature': signPayload({ id: eventId, timestamp, body }, secret),",
    replace:
      "'webhook-signature': `v1,${Buffer.from(signPayload({ id: eventId, timestamp, body }, secret).slice(3), 'hex').toString('base64')}`,",
  },
  {
    name: 'deliveries-payload-alone',
    rule: 'CB-01',
    also: ['CB-17', 'CB-20'],
    fault: 'The body of a callback is the payload of its event.',
    file: ATTEMPT,
    find: 'const body = Buffer.from(delivery.body)',
    replace: 'const body = Buffer.from(JSON.stringify(JSON.parse(delivery.body).payload))',
  },
  {
    name: 'deliveries-error-left-out',
    rule: 'CB-21',
    fault: 'The callback for a failed run has no error.',
    file: ATTEMPT,
    find: 'const body = Buffer.from(delivery.body)',
    replace:
      'const { payload: { error: _error, ...payload }, ...event } = JSON.parse(delivery.body)\n    const body = Buffer.from(JSON.stringify({ ...event, payload }))',
  },
  {
    name: 'deliveries-of-one-service',
    rule: 'CB-02',
    fault: 'A configuration gets the events of its own service only.',
    file: TABLES,
    find: 'k.app_id = n.app_id and k.device_id = n.device_id and k.enabled',
    replace:
      'k.app_id = n.app_id and k.device_id = n.device_id and k.enabled and exists (select 1 from conversations c where c.app_id = n.app_id and c.conversation_id = n.conversation_id and c.endpoint_id = k.endpoint_id)',
  },
  {
    name: 'deliveries-without-url',
    rule: 'CB-03',
    fault: 'A configuration may lack a URL.',
    ...inRequests('createCallback', 'json.url ??= `${process.env.GATEWAY_CALLBACK_DEV_TARGETS?.split(",")[0]}/none`'),
  },
  {
    name: 'deliveries-without-allowlist',
    rule: 'CB-10',
    also: ['CB-11'],
    fault: 'An empty allowlist allows every host.',
    file: URL_RULES,
    find: '  if (!hosts.has(url.hostname))\n',
    replace: '  if (hosts.size > 0 && !hosts.has(url.hostname))\n',
  },
  {
    name: 'deliveries-to-addresses',
    rule: 'CB-12',
    fault: 'A callback URL may contain an IP address.',
    file: URL_RULES,
    find: "  if (isAddress(url.hostname)) return refused('must have a host name, not an IP address')\n",
    replace: '  if (isAddress(url.hostname)) return { ok: true, url, isExempt: false }\n',
  },
  {
    name: 'deliveries-expired-while-sent',
    rule: 'CB-22',
    also: ['CB-43'],
    fault: 'A delivery that is waiting for its answer is shown as expired.',
    file: RECORDS,
    find: '  state: delivery.state,\n  attempts',
    replace: "  state: delivery.state === 'sending' ? 'expired' : delivery.state,\n  attempts",
  },
  {
    name: 'deliveries-delivered-when-sent',
    rule: 'CB-23',
    fault: 'A delivery is shown as delivered while it is being sent.',
    file: RECORDS,
    find: '  state: delivery.state,\n  attempts',
    replace: "  state: delivery.state === 'sending' ? 'delivered' : delivery.state,\n  attempts",
  },
  {
    name: 'deliveries-attempts-not-counted',
    rule: 'CB-35',
    fault: 'A delivery does not count its attempts.',
    file: RECORDS,
    find: '  attempts: delivery.attempts,',
    replace: '  attempts: 0,',
  },
  {
    name: 'deliveries-never-again',
    rule: 'CB-31',
    fault: 'A manual retry is accepted and does nothing.',
    file: 'server/src/gateway/admin/callbacks/deliveries.ts',
    find: '    await store.reopenDelivery(tx, delivery, now, new Date(now.getTime() + DELIVERY_WINDOW_MS))',
    replace: '    void DELIVERY_WINDOW_MS',
  },
  {
    name: 'deliveries-version-of-the-url-only',
    rule: 'CB-34',
    fault: 'A new secret does not create a new version.',
    file: 'server/src/gateway/admin/callbacks/callback-changes.ts',
    find: 'const isNewVersion = url !== undefined || secret !== undefined',
    replace: 'const isNewVersion = url !== undefined',
  },
  {
    name: 'deliveries-twice',
    rule: 'CB-41',
    fault: 'An event that was delivered is sent once more.',
    file: 'openapi/src/behaviour/delivery-outcome.ts',
    find: "  if (isAnswer && result.status >= 200 && result.status < 300)\n    return { state: 'delivered', nextAttemptAt: null, error: null }\n",
    replace:
      "  if (isAnswer && result.status >= 200 && result.status < 300)\n    return attempts === 1 ? { state: 'pending', nextAttemptAt: now, error: null } : { state: 'delivered', nextAttemptAt: null, error: null }\n",
  },
  {
    name: 'deliveries-long-id',
    rule: 'LIMIT-08',
    fault: 'The webhook-id of a callback has more than 128 characters.',
    file: ATTEMPT,
    find: "'webhook-id': eventId,",
    replace: "'webhook-id': eventId.padEnd(129, '0'),",
  },
  {
    name: 'deliveries-40-streams-of-a-device',
    rule: 'LIMIT-14',
    fault: 'A device has at most 40 streams.',
    file: 'server/src/app/settings/settings.ts',
    find: "    default: '32',",
    replace: "    default: '40',",
  },
  {
    name: 'deliveries-events-for-a-day',
    rule: 'RET-01',
    also: ['RET-04'],
    fault: 'Events are kept for a day.',
    file: 'openapi/generated/limits.ts',
    find: 'eventsMs: 604800000',
    replace: 'eventsMs: 86400000',
  },
  {
    name: 'deliveries-bodies-for-ten-days',
    rule: 'RET-02',
    fault: 'Messages and results are kept for 10 days.',
    file: 'server/src/gateway/retention.ts',
    find: "sweep('messages and results', removeBodies, bodiesMs)",
    replace: "sweep('messages and results', removeBodies, bodiesMs / 3)",
  },
  {
    name: 'deliveries-bodies-for-a-year',
    rule: 'RET-06',
    fault: 'Messages and results are kept for a year.',
    file: 'server/src/gateway/retention.ts',
    find: "sweep('messages and results', removeBodies, bodiesMs)",
    replace: "sweep('messages and results', removeBodies, bodiesMs * 12)",
  },
]
