import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Erasure } from '@conversation-gateway/openapi/generated/admin-closed'
import {
  findErasure,
  findErasureOfSubject,
  insertErasure,
  lockAppForErasure,
  lockConversationForErasure,
  type StoredErasure,
} from '../../store/erasure/erasures.ts'
import { announceChange } from '../change-work.ts'
import type { GatewayContext } from '../context.ts'
import { detach } from '../erase.ts'
import { accepted, unknown } from './outcomes.ts'
import { erasureRecord } from './records.ts'

/**
 * Erases a conversation (202, D-63). It is 404 for every application at once; maintenance erases its contents later. If
 * the conversation is already erased or being erased, the answer is that erasure.
 */
export const eraseConversation = async (
  context: GatewayContext,
  conversationId: string,
): Promise<Admitted<Erasure> | Refusal> => {
  const { erasure, change } = await context.db.transaction(async (tx) => {
    const place = await lockConversationForErasure(tx, conversationId)
    if (place === null) return { erasure: null, change: null }
    const { appId, subject, erasureId } = place
    if (erasureId !== null) return { erasure: await findErasure(tx, erasureId), change: null }
    const begun = await insertErasure(tx, { ...newErasure(context), appId, subject: null, conversationId })
    return { erasure: begun, change: await detach(context, tx, begun, { appId, conversationId }, subject) }
  })
  if (erasure === null) return unknown('conversation', conversationId)
  if (change !== null) announceChange(change)
  return accepted(erasureRecord(erasure))
}

/**
 * Erases everything that a subject has at this moment (202, D-63). If an erasure is already in progress, the answer is
 * that one.
 */
export const eraseSubject = async (
  context: GatewayContext,
  appId: string,
  subject: string,
): Promise<Admitted<Erasure> | Refusal> => {
  const erasure = await context.db.transaction(async (tx) => {
    if (!(await lockAppForErasure(tx, appId))) return null
    return (
      (await findErasureOfSubject(tx, appId, subject)) ??
      insertErasure(tx, { ...newErasure(context), appId, subject, conversationId: null })
    )
  })
  return erasure === null ? unknown('application', appId) : accepted(erasureRecord(erasure))
}

export const getErasure = async ({ db }: GatewayContext, erasureId: string): Promise<Found<Erasure> | Refusal> => {
  const erasure = await findErasure(db, erasureId)
  return erasure === null ? unknown('erasure', erasureId) : found(erasureRecord(erasure))
}

const newErasure = ({
  clock,
  settings,
}: GatewayContext): Pick<StoredErasure, 'erasureId' | 'stopUntil' | 'createdAt'> => {
  const now = clock.now()
  return { erasureId: newId('ers', now), stopUntil: new Date(now.getTime() + settings.stopMs), createdAt: now }
}
