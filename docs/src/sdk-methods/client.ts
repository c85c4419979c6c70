/**
 * The methods of a client. `createClient` returns an object with one member for each of these classes:
 * `client.conversations`, `client.messages`, `client.runs`, `client.endpoints`, `client.operations` and
 * `client.resources`.
 *
 * @module
 */
export type { UploadedResources } from '../../../sdk/src/client/uploaded-resources.ts'
export type { WatchedConversations } from '../../../sdk/src/client/watched-conversations.ts'
export type {
  Conversations,
  Endpoints,
  Messages,
  Operations,
  Resources,
  Runs,
} from '../../../sdk/src/generated/namespaces.ts'
