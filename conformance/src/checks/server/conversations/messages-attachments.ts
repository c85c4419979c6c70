import assert from 'node:assert/strict'
import type { Caller } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { declare, upload } from '../../../kit/steps/attachments.ts'
import { unknownId } from '../../../kit/steps/records.ts'
import type { WorkRoute } from '../../../kit/steps/work-routes.ts'
import { expectAdmitted, expectRefused, openWorkRoutes, refuseOnBothRoutes } from '../../../kit/steps/work-routes.ts'

const uploadMany = (t: ServerContext, by: Caller, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => (await upload(t, {}, by)).resource_id))

const refuse = (route: WorkRoute, what: string, resourceIds: unknown) =>
  expectRefused(
    `${route.name} with ${what}`,
    route.post({ input: { text: 'hello', resource_ids: resourceIds } }),
    400,
    'INVALID_REQUEST',
  )

/** The status 400 is a decision (D-33). The specification only forbids use of the attachment. */
async function refuseUnusable(t: ServerContext, route: WorkRoute, what: string, ids: readonly string[]): Promise<void> {
  const { status, text } = await route.post({ input: { text: 'hello', resource_ids: ids } })
  const isRefused = t.profile === 'core' ? status >= 400 && status < 500 : status === 400
  assert.ok(isRefused, `${route.name} with ${what} must be refused, but got ${status} ${text}`)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'messages/five-attachments',
    title: 'an input names at most 5 different attachments; five are admitted, and so are attachments alone',
    rules: ['MSG-11'],
    tags: ['limit'],
    run: async (t) => {
      const six = await uploadMany(t, t.me, 6)
      const [one = '', two = ''] = six
      await refuseOnBothRoutes(t, async (route) => {
        await refuse(route, '6 attachments', six)
        await refuse(route, 'the same attachment twice', [one, one])
        await refuse(route, 'the first of three attachments again at the end', [one, two, one])
        for (const given of [one, { 0: one }, null, 5, true])
          await refuse(route, `resource_ids ${JSON.stringify(given)}`, given)
        for (const member of [7, null, { resource_id: one }, [one]])
          await refuse(route, `${JSON.stringify(member)} in its resource_ids`, [one, member])
      })
      const script = t.script({ succeed: {} })
      for (const route of await openWorkRoutes(t)) {
        await expectAdmitted(`${route.name} of one attachment alone`, route.post({ input: { resource_ids: [one] } }))
        const five = { ...script, resource_ids: six.slice(1) }
        await expectAdmitted(`${route.name} with 5 attachments`, route.post({ input: five }))
      }
    },
  },
  {
    id: 'messages/own-ready-attachments',
    title: 'an input names only ready attachments of its own application and subject',
    rules: ['MSG-12'],
    tags: ['security'],
    run: async (t) => {
      const own = (await upload(t)).resource_id
      const deleted = (await upload(t)).resource_id
      const gone = await t.me.request('DELETE', `/resources/${deleted}`)
      const unusable = {
        'an attachment that was never declared': unknownId(own),
        'an attachment without content': (await declare(t)).resource_id,
        'an attachment of another subject': (await upload(t, {}, t.caller({ subject: t.otherSubject() }))).resource_id,
        'an attachment of another application': (await upload(t, {}, t.caller({ app: 'second' }))).resource_id,
        ...(own.toUpperCase() === own ? {} : { 'an attachment ID in another case': own.toUpperCase() }),
        ...(gone.status === 204 ? { 'a deleted attachment': deleted } : {}),
      }
      await refuseOnBothRoutes(t, async (route) => {
        for (const [what, id] of Object.entries(unusable)) {
          await refuseUnusable(t, route, what, [id])
          await refuseUnusable(t, route, `${what} after a valid one`, [own, id])
        }
      })
      for (const route of await openWorkRoutes(t))
        await expectAdmitted(route.name, route.post({ input: { ...t.script({ succeed: {} }), resource_ids: [own] } }))
    },
  },
  {
    id: 'messages/attachment-types',
    title: 'an attachment of an unsupported type is refused, even next to one of a supported type',
    rules: ['MSG-13'],
    needs: ['driver.createService'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService({ accepts: ['text/plain', 'application/*'] })
      const types = ['text/plain', 'application/pdf', 'image/png', 'text/html']
      const [text = '', pdf = '', image = '', html = ''] = await Promise.all(
        types.map(async (type) => (await upload(t, { content_type: type })).resource_id),
      )
      await refuseOnBothRoutes(
        t,
        async (route) => {
          await refuseUnusable(t, route, 'image/png', [image])
          await refuseUnusable(t, route, 'another subtype of text', [html])
          await refuseUnusable(t, route, 'image/png behind text/plain', [text, image])
          await refuseUnusable(t, route, 'image/png before text/plain', [image, text])
        },
        endpointId,
      )
      for (const route of await openWorkRoutes(t, endpointId))
        await expectAdmitted(route.name, route.post({ input: { text: 'x', resource_ids: [text, pdf] } }))
    },
  },
]
