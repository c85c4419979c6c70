import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { ReencryptedSecrets } from '@conversation-gateway/openapi/generated/admin-closed'
import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'
import { stillInUse } from '../../domain/secret-rotation.ts'
import type { StoredCallback } from '../../store/admin/callbacks.ts'
import { lockNextCallbacks, rewriteCallback } from '../../store/admin/callbacks.ts'
import type { SignedService } from '../../store/admin/services.ts'
import {
  listHttpAssistants,
  lockNextSignedServices,
  rewriteAssistant,
  setServiceSigning,
} from '../../store/admin/services.ts'
import type { StoredWebhook } from '../../store/admin/webhooks.ts'
import { lockNextWebhooks, updateWebhook } from '../../store/admin/webhooks.ts'
import type { Db, Tx } from '../../store/db.ts'
import type { SealedSecrets } from '../../store/secret-columns.ts'
import { fileSecretContext } from '../bootstrap/file-secret.ts'
import type { GatewayContext } from '../context.ts'
import type { ServiceRef } from '../secrets/signing-secret.ts'
import {
  callbackSecretContext,
  NO_SECRET_KEY,
  serviceSecretContext,
  webhookSecretContext,
} from '../secrets/signing-secret.ts'
import { resealAssistant } from '../secrets/stored-assistant.ts'
import { urlQueryContext, withSealedQuery } from '../secrets/stored-url.ts'
import { changed } from './outcomes.ts'

/** Rows handled by one transaction. */
const BATCH_ROWS = 100
/** Maximum IDs in the answer. */
const IDS_SHOWN = 100

/**
 * Re-encrypts all readable stored secrets with the first key, in small transactions, one after the other. Old secrets
 * whose overlap has ended are deleted. Concurrent changes already use the first key. Without a key it is
 * CAPABILITY_UNAVAILABLE (503).
 */
export const reencryptSecrets = async ({
  db,
  clock,
  secrets,
}: GatewayContext): Promise<Admitted<ReencryptedSecrets> | Refusal> => {
  if (secrets === null) return NO_SECRET_KEY
  const pass = createPass(secrets, clock.now())
  await inBatches(db, '', lockNextWebhooks, async (tx, webhook) => {
    const next = pass.webhook(webhook)
    if (!isDeepStrictEqual(next, webhook)) await updateWebhook(tx, next)
    return webhook.integrationId
  })
  await inBatches(db, '', lockNextCallbacks, async (tx, callback) => {
    const next = pass.callback(callback)
    if (!isDeepStrictEqual(next, callback)) await rewriteCallback(tx, next)
    return callback.callbackId
  })
  await inBatches(db, { appId: '', endpointId: '' }, lockNextSignedServices, async (tx, service) => {
    const signing = pass.service(service)
    if (!isDeepStrictEqual(signing, service.signing)) await setServiceSigning(tx, service, signing)
    for (const { version, assistant } of await listHttpAssistants(tx, service)) {
      const next = pass.assistant(service, assistant)
      if (!isDeepStrictEqual(next, assistant)) await rewriteAssistant(tx, service, version, next)
    }
    return service
  })
  return changed(pass.report())
}

/** Visits all rows after `before`, in the order of their IDs. `visit` returns the ID of its row. */
const inBatches = async <R, Id>(
  db: Db,
  before: Id,
  lockNext: (tx: Tx, after: Id, limit: number) => Promise<R[]>,
  visit: (tx: Tx, row: R) => Promise<Id>,
): Promise<void> => {
  for (let after: Id | null = before; after !== null; ) {
    const start: Id = after
    after = await db.transaction(async (tx) => {
      let last: Id | null = null
      for (const row of await lockNext(tx, start, BATCH_ROWS)) last = await visit(tx, row)
      return last
    })
    await setImmediate()
  }
}

/** Re-encrypts the secrets of rows, and counts the results. */
const createPass = (secrets: SecretBox, now: Date) => {
  const counts = { reencrypted: 0, current: 0, unreadable: 0 }
  const unreadableIds = new Set<string>()

  const reseal = (id: string, context: string, sealed: Uint8Array): Uint8Array => {
    try {
      const isCurrent = secrets.isCurrent(sealed)
      const text = secrets.open(sealed, context)
      counts[isCurrent ? 'current' : 'reencrypted'] += 1
      return isCurrent ? sealed : secrets.seal(text, context)
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error
      counts.unreadable += 1
      unreadableIds.add(id)
      return sealed
    }
  }
  const resealAll = (
    id: string,
    secretContext: string,
    fileContext: string,
    { sealedSecret, previousSecret, sealedFileSecret }: SealedSecrets,
  ): SealedSecrets => {
    const previous = stillInUse(previousSecret, now)
    return {
      sealedSecret: reseal(id, secretContext, sealedSecret),
      previousSecret: previous && { ...previous, sealed: reseal(id, secretContext, previous.sealed) },
      sealedFileSecret: sealedFileSecret && reseal(id, fileContext, sealedFileSecret),
    }
  }
  const resealQuery = (callback: StoredCallback): Pick<StoredCallback, 'url' | 'sealedQuery'> => {
    const { callbackId: id, url, sealedQuery } = callback
    if (sealedQuery !== null) return { url, sealedQuery: reseal(id, urlQueryContext(id), sealedQuery) }
    const stored = withSealedQuery(secrets, urlQueryContext(id), callback)
    if (stored.sealedQuery !== null) counts.reencrypted += 1
    return { url: stored.url, sealedQuery: stored.sealedQuery }
  }

  return {
    webhook: (webhook: StoredWebhook): StoredWebhook => {
      const { integrationId: id } = webhook
      return { ...webhook, ...resealAll(id, webhookSecretContext(id), fileSecretContext('webhook', id), webhook) }
    },
    callback: (callback: StoredCallback): StoredCallback => {
      const { callbackId: id } = callback
      const sealed = resealAll(id, callbackSecretContext(id), fileSecretContext('callback', id), callback)
      return { ...callback, ...sealed, ...resealQuery(callback) }
    },
    service: ({ signing, ...service }: SignedService): SealedSecrets => {
      const { endpointId: id } = service
      return resealAll(
        id,
        serviceSecretContext(service),
        fileSecretContext('service', `${service.appId}/${id}`),
        signing,
      )
    },
    assistant: (service: ServiceRef, assistant: unknown): unknown =>
      resealAssistant(service, assistant, (context, sealed) => reseal(service.endpointId, context, sealed)),
    report: (): ReencryptedSecrets => ({ ...counts, unreadable_ids: [...unreadableIds].slice(0, IDS_SHOWN) }),
  }
}
