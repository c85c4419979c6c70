import type { Mutant } from '../mutant.ts'

const SIGN = 'sdk/src/signature/sign.ts'
const DELIVER = 'sdk/src/webhooks/deliver.ts'
const SIGNED = 'const headers = await signedHeaders({ id: handle.id, body, secret, now: new Date(timing.now()) })'

/** Senders of webhooks that sign or repeat the wrong way. */
export const webhookMutants: readonly Mutant[] = [
  {
    name: 'sender-kept-after-a-rotation',
    rule: 'HOOK-35',
    fault: 'Keeps the first secret for each URL after a rotation.',
    file: 'conformance/adapters/sdk/open-client.ts',
    find: 'createWebhookSender({ url, secret, ...timing }),',
    replace: '((globalThis.senders ??= {})[url] ??= createWebhookSender({ url, secret, ...timing })),',
  },
  {
    name: 'timestamp-in-milliseconds',
    rule: 'SIG-06',
    fault: 'Sends the timestamp in milliseconds.',
    file: SIGN,
    find: 'Math.floor(now.getTime() / 1000)',
    replace: 'now.getTime()',
  },
  {
    name: 'timestamp-with-a-fraction',
    rule: 'SIG-06',
    fault: 'Sends fractions of seconds.',
    file: SIGN,
    find: 'Math.floor(now.getTime() / 1000)',
    replace: 'now.getTime() / 1000 + 0.0001',
  },
  {
    name: 'webhook-as-text',
    rule: 'SIG-06',
    fault: 'Sends events as text.',
    file: SIGN,
    find: "    'content-type': 'application/json',\n",
    replace: "    'content-type': 'text/plain',\n",
  },
  {
    name: 'signs-without-the-last-dot',
    rule: 'SIG-09',
    fault: 'Leaves out the dot between timestamp and body.',
    file: SIGN,
    find: '`${id}.${timestamp}.`',
    replace: '`${id}.${timestamp}`',
  },
  {
    name: 'signs-other-bytes',
    rule: 'SIG-09',
    fault: 'Signs the body in Unicode normal form D, but sends it unchanged.',
    file: DELIVER,
    find: SIGNED,
    replace:
      "const headers = await signedHeaders({ id: handle.id, body: new TextEncoder().encode(handle.body.normalize('NFD')), secret, now: new Date(timing.now()) })",
  },
  {
    name: 'signature-in-upper-case',
    rule: 'SIG-10',
    fault: 'Writes the signature in upper case.',
    file: SIGN,
    find: "toString(16).padStart(2, '0')",
    replace: "toString(16).padStart(2, '0').toUpperCase()",
  },
  {
    name: 'secret-decoded',
    rule: 'SIG-10',
    fault: 'Decodes a secret that looks like hex.',
    file: SIGN,
    find: 'new TextEncoder().encode(secret)',
    replace: "/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : new TextEncoder().encode(secret)",
  },
  {
    name: 'secret-trimmed',
    rule: 'SIG-10',
    fault: 'Trims the secret.',
    file: SIGN,
    find: 'new TextEncoder().encode(secret)',
    replace: 'new TextEncoder().encode(secret.trim())',
  },
  {
    name: 'repeat-with-a-new-id',
    rule: 'SIG-16',
    fault: 'Uses a new ID for every attempt.',
    file: DELIVER,
    find: SIGNED,
    replace: SIGNED.replace('handle.id', '`${handle.id}-${Math.floor(Math.random() * 1e9)}`'),
  },
  {
    name: 'repeat-with-another-body',
    rule: 'SIG-16',
    fault: 'Adds one more space to the body at each repeat.',
    file: DELIVER,
    find: SIGNED,
    replace: `const body = new TextEncoder().encode(handle.body.replace('{', '{' + ' '.repeat((globalThis.sent = (globalThis.sent ?? -1) + 1))))\n      ${SIGNED}`,
  },
  {
    name: 'repeat-with-the-old-signature',
    rule: 'SIG-17',
    fault: 'Sends a repeat with a new timestamp but the signature of the first attempt.',
    file: DELIVER,
    find: SIGNED,
    replace: `const headers = { ...(globalThis.firstSigned ??= await signedHeaders({ id: handle.id, body, secret, now: new Date(timing.now()) })), 'webhook-timestamp': String(Math.floor(timing.now() / 1000)) }`,
  },
]
