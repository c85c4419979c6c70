import type { Mutant } from '../mutant.ts'

/** Replays that are answered wrongly, or executed again. */
export const idempotencyMutants: readonly Mutant[] = [
  {
    name: 'idempotency-conflict-ignored',
    rule: 'IDEM-06',
    fault: 'A key that was used for other content returns the first answer.',
    file: 'server/src/writer/idempotency.ts',
    find: 'if (!equalFingerprints(record.fingerprint, request.fingerprint))',
    replace: 'if (false)',
  },
  {
    name: 'idempotency-key-of-each-operation',
    rule: 'IDEM-12',
    fault: 'A key that was used for another operation is treated as unused.',
    file: 'server/src/http/perform-operation.ts',
    find: '          key: header[IDEMPOTENCY_KEY_HEADER],',
    replace: '          key: `${header[IDEMPOTENCY_KEY_HEADER]} ${route}`,',
  },
  {
    name: 'idempotency-target-not-covered',
    rule: 'IDEM-13',
    fault: 'The fingerprint omits the IDs of the path.',
    file: 'server/src/domain/fingerprint.ts',
    find: 'JSON.stringify([method, route, pathIds])',
    replace: 'JSON.stringify([method, route])',
  },
  {
    name: 'idempotency-key-order-counts',
    rule: 'IDEM-14',
    fault: 'A body with its members in another order is treated as a different body.',
    file: 'server/src/domain/fingerprint.ts',
    find: ': canonicalJson(body)',
    replace: ': body.bytes',
  },
  {
    name: 'idempotency-nested-content-ignored',
    rule: 'IDEM-14',
    fault: 'Only the top level of the body is compared.',
    file: 'server/src/domain/json/canonical-json.ts',
    find: '      this.writeValue(name + ENTRY_SIZE)',
    replace: '      if (entry === ROOT) this.writeValue(name + ENTRY_SIZE)',
  },
  {
    name: 'idempotency-marker-missing',
    rule: 'IDEM-22',
    fault: 'A replay is not marked.',
    file: 'server/src/http/answers/answer-outcome.ts',
    find: "if (outcome.replayed) reply.header('idempotency-replayed', 'true')",
    replace: '',
  },
  {
    name: 'idempotency-marker-always',
    rule: 'IDEM-22',
    fault: 'A first answer is marked as a replay, too.',
    file: 'server/src/http/answers/answer-outcome.ts',
    find: "if (outcome.replayed) reply.header('idempotency-replayed', 'true')",
    replace: "if (idempotent) reply.header('idempotency-replayed', 'true')",
  },
  {
    name: 'idempotency-refusal-uses-key',
    rule: 'IDEM-20',
    fault: 'A refused request uses up its key.',
    file: 'server/src/writer/idempotency.ts',
    find: '      if (isFresh(result))\n',
    replace: `      if (Object(result).kind === 'refused')
        found.records.add(key, { fingerprint: request.fingerprint, status: 202, response: {} })
      if (isFresh(result))
`,
  },
  {
    name: 'idempotency-checked-after-state',
    rule: 'REQ-12',
    fault: 'A replay of a message is refused after its generation has ended.',
    file: 'server/src/writer/idempotency.ts',
    find: '      if (record !== undefined) return',
    replace:
      '      const answered = record?.status === 404 ? undefined : (record?.response as { generation?: number } | undefined)\n      if (record !== undefined && (answered?.generation ?? open.row.generation) === open.row.generation) return',
  },
  {
    name: 'idempotency-create-ignores-business-key',
    rule: 'CONV-08',
    also: ['IDEM-07', 'CONV-07'],
    fault: 'A creation with an existing business key creates another conversation.',
    file: 'server/src/gateway/create-conversation.ts',
    find: '    return replay ?? BUSINESS_KEY_TAKEN\n',
    replace: `    return (
      replay ??
      (await executeOnce<Conversation>(db, tenant, request, now, async (tx) => {
        const conversation = newConversation(tenant, endpoint, null, now)
        await insertConversation(tx, conversation)
        return { status: 201, body: { ...conversationRecord(conversation), business_key: body.conversation_key ?? '' } }
      }))
    )
`,
  },
  {
    name: 'idempotency-cancel-not-replayed',
    rule: 'CANCEL-05',
    fault: 'A repeated cancel names another operation.',
    file: 'server/src/gateway/cancel-run.ts',
    find: "return (await writeOnce(context, tenant, request, change)) ?? notFound('run')",
    replace:
      "const outcome = await writeOnce(context, tenant, request, change)\n  if (outcome?.kind === 'admitted' && outcome.replayed) return { ...outcome, body: { ...outcome.body, operation_id: newId('op') } }\n  return outcome ?? notFound('run')",
  },
  {
    name: 'idempotency-key-spaces',
    rule: 'REQ-11',
    fault: 'A known key is answered with its replay although the path ID belongs to another tenant.',
    file: 'server/src/gateway/cancel-run.ts',
    find: "  if (place === null) return notFound('run')",
    replace:
      "  const known = await import('../store/idempotency.ts').then((store) => store.findIdempotencyRecord(context.db, tenant, request.key))\n  if (place === null && known !== null && 'response' in known) return { kind: 'admitted', status: known.status, body: known.response as Control, replayed: true }\n  if (place === null) return notFound('run')",
  },
  {
    name: 'idempotency-repeat-leaves-a-conversation',
    rule: 'IDEM-30',
    also: ['HOOK-30'],
    fault: 'Writes that a request makes before it is recognised as a repeat are committed.',
    file: 'server/src/gateway/idempotent.ts',
    find: 'if (!isFresh(outcome)) throw',
    replace: "if (outcome.kind === 'refused') throw",
  },
  {
    name: 'idempotency-conflict-leaves-a-conversation',
    rule: 'IDEM-06',
    also: ['HOOK-31'],
    fault: 'Writes that a request makes before it is recognised as a conflict are committed.',
    file: 'server/src/gateway/idempotent.ts',
    find: 'if (!isFresh(outcome)) throw',
    replace: "if (!isFresh(outcome) && Object(outcome).code !== 'IDEMPOTENCY_CONFLICT') throw",
  },
  {
    name: 'idempotency-repeat-leaves-an-event',
    rule: 'IDEM-30',
    also: ['HOOK-30'],
    fault: 'A repeat stores an event of a run that does not exist.',
    file: 'server/src/writer/idempotency.ts',
    find: '      if (record !== undefined) return answerOfRecord<never>(record, request)\n',
    replace: `      if (record !== undefined) {
        open.draft.events.push({
          type: 'run.updated',
          runId: 'run_' + '0'.repeat(32),
          messageId: null,
          generation: open.draft.work.generation,
          payload: { state: 'queued', delivery_state: 'waiting_device' },
        })
        return answerOfRecord<never>(record, request)
      }
`,
  },
  {
    name: 'idempotency-repeat-counts-as-pending',
    rule: 'IDEM-23',
    fault: 'A repeat is counted as one more unfinished run.',
    file: 'server/src/writer/batch.ts',
    find: '  rows.records.push(...found.records.added)\n',
    replace: `  rows.records.push(...found.records.added)
  for (const { conversation, reads } of changes) {
    const open = opened.get(keyOf(conversation))?.open
    const isAdded = rows.records.some(({ key }) => key === reads.record?.key)
    if (open !== undefined && reads.record !== undefined && !isAdded && found.records.find(reads.record) !== undefined)
      rows.pending.push({ app_id: open.row.appId, device_id: open.row.deviceId, shard: 64, unfinished: 1 })
  }
`,
  },
  {
    name: 'idempotency-keys-of-a-connection',
    rule: 'IDEM-29',
    fault: 'A repeat over another connection is a conflict.',
    file: 'server/src/http/perform-operation.ts',
    find: 'fingerprint: fingerprint({ method, route, pathIds: ids, body: json }),',
    replace:
      'fingerprint: fingerprint({ method, route: `${route} ${reply.request.socket.remotePort}`, pathIds: ids, body: json }),',
  },
]
