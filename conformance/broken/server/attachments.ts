import type { Mutant } from '../mutant.ts'

const RESOURCES = 'server/src/gateway/resources.ts'
const CONTENT = 'openapi/src/behaviour/requests/attachment-content.ts'

/** Faults of attachments and their content. */
export const attachmentMutants: readonly Mutant[] = [
  {
    name: 'attachments-length-not-compared',
    rule: 'RES-08',
    fault: 'Content shorter than declared is accepted.',
    file: CONTENT,
    find: 'if (received.size !== size) return',
    replace: 'if (received.size > size) return',
  },
  {
    name: 'attachments-hash-not-compared',
    rule: 'RES-08',
    fault: 'The declared hash is not compared.',
    file: CONTENT,
    find: 'if (sha256 !== null && received.sha256 !== sha256)',
    replace: 'if (false)',
  },
  {
    name: 'attachments-other-bytes',
    rule: 'RES-10',
    fault: 'Other bytes of the same length are accepted after the upload.',
    file: CONTENT,
    find: 'return received.size === resource.size && received.sha256 === resource.sha256',
    replace: 'return received.size === resource.size',
  },
  {
    name: 'attachments-repeat-refused',
    rule: 'RES-09',
    fault: 'An identical repeat of the upload is a conflict.',
    file: CONTENT,
    find: 'return received.size === resource.size && received.sha256 === resource.sha256',
    replace: 'return received.size !== resource.size && received.sha256 === resource.sha256',
  },
  {
    name: 'attachments-pending-content',
    rule: 'RES-11',
    fault: 'The content of a pending attachment is answered with BUSY.',
    file: RESOURCES,
    find: 'return NO_CONTENT',
    replace: 'return ATTACHMENT_IN_USE',
  },
  {
    name: 'attachments-deleted-in-use',
    rule: 'RES-16',
    fault: 'An attachment that a run uses can be deleted.',
    file: RESOURCES,
    find: 'if (await store.isInUse(tx, tenant.appId, resourceId))',
    replace: 'if (false)',
  },
  {
    name: 'attachments-ready-at-once',
    rule: 'RES-06',
    fault: 'A new attachment is shown as ready.',
    file: 'openapi/src/behaviour/records.ts',
    find: "status: resource.uploadId === null ? 'pending' : 'ready',",
    replace: "status: 'ready',",
  },
]
