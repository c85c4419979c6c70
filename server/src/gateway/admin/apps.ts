import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { App, AppList, CreateApp, UpdateApp } from '@conversation-gateway/openapi/generated/admin-closed'
import type { StoredApp } from '../../store/admin/apps.ts'
import * as store from '../../store/admin/apps.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { changed, created, insertUnlessTaken, pageSize, taken, unknown } from './outcomes.ts'
import { appRecord } from './records.ts'

/** Creates an application without keys (201). A chosen ID that is taken is ALREADY_EXISTS (409). */
export const createApp = async (context: GatewayContext, body: CreateApp): Promise<Admitted<App> | Refusal> => {
  const { db, clock } = context
  const now = clock.now()
  const app = newApp({ ...body, app_id: body.app_id ?? newId('app', now) }, now)
  if (!(await insertUnlessTaken(store.insertApp(db, app), [store.APP_ID_CONSTRAINT])))
    return taken('application', app.appId)
  return created(appRecord(app, context))
}

/** An active application; the gateway's defaults apply to omitted limits. */
export const newApp = (body: CreateApp & { readonly app_id: string }, now: Date): StoredApp => ({
  appId: body.app_id,
  ownerId: body.owner_id,
  name: body.name ?? null,
  state: 'active',
  pendingLimit: body.pending_limit ?? null,
  rateLimitPerSecond: body.rate_limit_per_second ?? null,
  streamLimit: body.stream_limit ?? null,
  subjectStreamLimit: body.subject_stream_limit ?? null,
  createdAt: now,
})

/**
 * Changes the members that the body contains; null resets a limit to the gateway's default. Takes effect on every
 * process within 5 seconds.
 */
export const updateApp = (context: GatewayContext, appId: string, body: UpdateApp): Promise<Admitted<App> | Refusal> =>
  context.db.transaction(async (tx) => {
    const app = await store.lockApp(tx, appId)
    if (app === null) return unknown('application', appId)
    const next = withAppChanges(app, body)
    await store.updateApp(tx, next)
    return changed(appRecord(next, context))
  })

export const withAppChanges = (app: StoredApp, body: UpdateApp & { readonly owner_id?: string }): StoredApp => ({
  ...app,
  ...(body.owner_id === undefined ? {} : { ownerId: body.owner_id }),
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.state === undefined ? {} : { state: body.state }),
  ...(body.pending_limit === undefined ? {} : { pendingLimit: body.pending_limit }),
  ...(body.rate_limit_per_second === undefined ? {} : { rateLimitPerSecond: body.rate_limit_per_second }),
  ...(body.stream_limit === undefined ? {} : { streamLimit: body.stream_limit }),
  ...(body.subject_stream_limit === undefined ? {} : { subjectStreamLimit: body.subject_stream_limit }),
})

export const getApp = async (context: GatewayContext, appId: string): Promise<Found<App> | Refusal> => {
  const app = await store.findApp(context.db, appId)
  return app === null ? unknown('application', appId) : found(appRecord(app, context))
}

/** Newest first; an empty page ends the list. */
export const listApps = async (context: GatewayContext, page: PageQuery): Promise<Found<AppList> | Refusal> => {
  const { db } = context
  if (page.before !== undefined && (await store.findApp(db, page.before)) === null)
    return unknown('application', page.before)
  const apps = await store.listApps(db, page.before ?? null, pageSize(page))
  return found({ apps: apps.map((app) => appRecord(app, context)) })
}
