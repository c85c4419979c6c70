import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { hashToken, issueKey } from '../../src/domain/api-key.ts'
import type { Db, Statement } from '../../src/store/db.ts'

/** The records for a load: one application with a service on one device, and empty conversations. */
export interface Population {
  readonly apiKey: string
  readonly appId: string
  readonly subject: string
  readonly deviceId: string
  readonly conversationIds: readonly string[]
}

const TABLE = `create table if not exists bench_messages (message_id text primary key, conversation_id text not null, text text,
  created_at timestamptz not null)`
const APP: Statement = {
  name: 'bench_app',
  access: 'write',
  text: `insert into apps (app_id, owner_id, state, created_at) values ($1, 'owner', 'active', $2)`,
}
const KEY: Statement = {
  name: 'bench_key',
  access: 'write',
  text: 'insert into api_keys (app_id, key_id, secret_hash, scopes, created_at) values ($1, $2, $3, $4, $5)',
}
const DEVICE: Statement = {
  name: 'bench_device',
  access: 'write',
  text: `insert into devices (device_id, state, heartbeat_at, created_at) values ($1, 'active', $2, $2)`,
}
const ENDPOINT: Statement = {
  name: 'bench_endpoint',
  access: 'write',
  text: `insert into endpoints (app_id, endpoint_id, device_id, published_version, breaking_version, created_at) values ($1, $2, $3, 1, 1, $4)`,
}
const VERSION: Statement = {
  name: 'bench_version',
  access: 'write',
  text: `insert into endpoint_versions (app_id, endpoint_id, version, compatibility, assistant, accepts, input_schema, created_at)
    values ($1, $2, 1, 'compatible', '{"type":"echo"}', '[]', $4, $3)`,
}
const CONVERSATIONS: Statement = {
  name: 'bench_conversations',
  access: 'write',
  text: `insert into conversations (app_id, conversation_id, subject, owner_id, endpoint_id, device_id, binding_version, created_at)
    select $1, id, $2, 'owner', $3, $4, 1, $5 from json_array_elements_text($6::json) as t(id)`,
}
const SHARDS: Statement = {
  name: 'bench_shards',
  access: 'write',
  text: 'insert into pending_runs (app_id, device_id, shard) select $1, $2, generate_series(0, 63)',
}

/** @param inputSchema of the service. Default: none. */
export const populate = async (db: Db, conversations: number, inputSchema?: object): Promise<Population> => {
  const now = new Date()
  const [appId, deviceId, endpointId, subject] = [newId('app'), newId('dev'), newId('ep'), 'bench']
  const { keyId, token } = issueKey()
  const conversationIds = Array.from({ length: conversations }, () => newId('conv'))
  await db.exec(TABLE)
  await db.query(APP, [appId, now])
  const scopes = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']
  await db.query(KEY, [appId, keyId, hashToken(token), scopes.join(' '), now])
  await db.query(DEVICE, [deviceId, now])
  await db.query(ENDPOINT, [appId, endpointId, deviceId, now])
  await db.query(VERSION, [appId, endpointId, now, inputSchema === undefined ? null : JSON.stringify(inputSchema)])
  await db.query(CONVERSATIONS, [appId, subject, endpointId, deviceId, now, JSON.stringify(conversationIds)])
  await db.query(SHARDS, [appId, deviceId])
  return { apiKey: token, appId, subject, deviceId, conversationIds }
}
