import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { findRecord } from '../../../kit/steps/conversations.ts'
import { ownDevice } from '../../../kit/steps/devices.ts'
import { conversationOfKey } from '../../../kit/steps/direct-runs.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { expectRunEnd } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const bindingOf = async (t: ServerContext, endpointId: string, conversationId: string): Promise<number> =>
  (await findRecord(t, conversationId, { endpointId })).binding_version

const NEEDS = ['driver.createService', 'driver.publishVersion'] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'versioning/binding-is-recorded',
    title: 'a conversation records the published version of its service; a later conversation has the later version',
    rules: ['VER-02'],
    needs: NEEDS,
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const first = await t.conversation({ endpoint_id: endpointId })
      const versions = [first.binding_version]
      for (let count = 0; count < 2; count += 1) {
        const published = await t.driver.publishVersion(endpointId, 'compatible')
        const next = await t.conversation({ endpoint_id: endpointId })
        assert.equal(
          next.binding_version,
          published,
          `a new conversation has version ${next.binding_version}, published is ${published}`,
        )
        assert.equal(next.generation, 1, 'a publication changed the generation of a new conversation')
        versions.push(next.binding_version)
      }
      assert.equal(new Set(versions).size, 3, `expected 3 different versions, got ${versions.join(', ')}`)
      const key = t.fresh('order')
      await t.me.createRun(endpointId, { input: t.script({ succeed: { text: 'x' } }), conversation_key: key })
      const { binding_version: ofDirectRun } = await conversationOfKey(t, key, { endpointId })
      assert.equal(ofDirectRun, versions[2], 'the conversation of a direct run')
    },
  },
  {
    id: 'versioning/reset-adopts-the-current-version',
    title: 'a publication does not change the version of a conversation; a reset adopts the current version',
    rules: ['VER-03'],
    needs: NEEDS,
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const { conversation_id: id, binding_version: bound } = conversation
      const untouched = await t.conversation({ endpoint_id: endpointId })
      await t.driver.publishVersion(endpointId, 'compatible')
      const current = await t.driver.publishVersion(endpointId, 'compatible')
      assert.notEqual(current, bound)
      assert.equal(
        await bindingOf(t, endpointId, id),
        bound,
        'a publication changed the version of an existing conversation',
      )
      const sent = await t.me.send(id, t.script({ succeed: { text: 'x' } }))
      if (sent.status === 202) await t.runEnded(sent.body.run_id)
      assert.equal(await bindingOf(t, endpointId, id), bound, 'a message changed the version of its conversation')
      await completeReset(t, id, 1)
      assert.equal(await bindingOf(t, endpointId, id), current, 'a reset did not adopt the current version')
      assert.equal(
        await bindingOf(t, endpointId, untouched.conversation_id),
        bound,
        'a reset changed the version of another conversation',
      )
      await t.admit({ ...conversation, generation: 2 }, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'versioning/conflict-after-publication',
    title: 'after a publication a send succeeds, or is refused with 409 GENERATION_CONFLICT',
    rules: ['VER-04', 'ERR-07'],
    needs: NEEDS,
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId })
      await t.driver.publishVersion(endpointId, 'breaking')
      const answer = await t.me.send(id, t.script({ succeed: { text: 'x' } }))
      if (answer.status !== 202) expectRefusal(answer, 409, 'GENERATION_CONFLICT')
      assert.equal((await readSnapshot(t, id)).generation, 1, 'the conversation was reset without a request')
    },
  },
  {
    id: 'versioning/breaking-publication',
    title:
      'after a breaking publication, sends to older conversations answer 409 GENERATION_CONFLICT until they are reset',
    rules: ['VER-08'],
    needs: NEEDS,
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      const { conversation_id: id, binding_version: bound } = conversation
      await t.driver.publishVersion(endpointId, 'breaking')
      const other = await t.conversation({ endpoint_id: endpointId })
      for (const text of ['one', 'two']) expectRefusal(await t.me.send(id, { text }), 409, 'GENERATION_CONFLICT')
      assert.equal(
        await bindingOf(t, endpointId, id),
        bound,
        'a refused message changed the version of its conversation',
      )
      assert.equal((await readSnapshot(t, id)).runs.length, 0)
      await t.admit(other, t.script({ succeed: { text: 'a conversation of the new version' } }))
      // A later compatible version does not undo the breaking one.
      const current = await t.driver.publishVersion(endpointId, 'compatible')
      expectRefusal(await t.me.send(id, { text: 'three' }), 409, 'GENERATION_CONFLICT')
      await t.admit(other, t.script({ succeed: { text: 'of the breaking version' } }))
      await completeReset(t, id, 1)
      assert.equal(await bindingOf(t, endpointId, id), current)
      await t.admit({ ...conversation, generation: 2 }, t.script({ succeed: { text: 'x' } }))
    },
  },
  {
    id: 'versioning/compatible-publication',
    title: 'after compatible publications, sends to conversations of older versions succeed',
    rules: ['VER-09'],
    needs: NEEDS,
    run: async (t) => {
      const { endpointId, conversation } = await ownDevice(t)
      for (let count = 0; count < 2; count += 1) {
        await t.driver.publishVersion(endpointId, 'compatible')
        const { run_id } = await t.admit(conversation, t.script({ succeed: { text: 'x' } }))
        await expectRunEnd(t, run_id, 'succeeded')
      }
      assert.equal(await bindingOf(t, endpointId, conversation.conversation_id), conversation.binding_version)
    },
  },
  {
    id: 'versioning/compatibility-is-stated',
    title: 'a publication states whether it is compatible or breaking; the default is compatible',
    rules: ['VER-07'],
    needs: ['admin', 'appIds', 'driver.createService'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const versions = `/apps/${t.config.apps.first.appId}/endpoints/${endpointId}/versions`
      const conversation = await t.conversation({ endpoint_id: endpointId })
      const publish = (json: object) => t.admin.request<{ compatibility: string }>('POST', versions, { json })
      for (const [given, expected] of [
        [{}, 'compatible'],
        [{ compatibility: 'compatible' }, 'compatible'],
      ] as const) {
        assert.equal(expectStatus(await publish(given), 201).body.compatibility, expected)
        await t.admit(conversation, t.script({ succeed: { text: 'x' } }))
      }
      for (const compatibility of ['none', 'BREAKING', '', true])
        expectRefusal(await publish({ compatibility }), 400, 'INVALID_REQUEST')
      await t.admit(conversation, t.script({ succeed: { text: 'x' } }))
      assert.equal(expectStatus(await publish({ compatibility: 'breaking' }), 201).body.compatibility, 'breaking')
      const { conversation_id: id } = conversation
      expectRefusal(await t.me.send(id, { text: 'x' }), 409, 'GENERATION_CONFLICT')
      // After a breaking publication the default is still compatible.
      await completeReset(t, id, 1)
      assert.equal(expectStatus(await publish({}), 201).body.compatibility, 'compatible')
      await t.admit({ ...conversation, generation: 2 }, t.script({ succeed: { text: 'x' } }))
    },
  },
]
