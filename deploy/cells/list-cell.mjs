// Prints the proxy's map of one cell: a line for each key that works, with its first part, and one for each webhook, with its ID.
// Usage, on a machine of the cell: GATEWAY_ADMIN_TOKEN=… node list-cell.mjs orders http://127.0.0.1:8788 nginx
const [cell, origin, proxy] = process.argv.slice(2)
const token = process.env.GATEWAY_ADMIN_TOKEN
if (!['nginx', 'haproxy'].includes(proxy) || token === undefined) {
  process.stderr.write(
    'GATEWAY_ADMIN_TOKEN must be set, and this program needs the name of a cell, where its operator API is, and nginx or haproxy.\n',
  )
  process.exit(2)
}

/**
 * All records of a list. A map with missing lines would cut applications off, so any refusal ends this program.
 * @param {string} path
 * @param {string} items
 * @param {string} id
 */
const list = async (path, items, id) => {
  const records = []
  for (let before = ''; ; before = `&before=${encodeURIComponent(records.at(-1)[id])}`) {
    const answer = await fetch(`${origin}/admin/v1/${path}?limit=100${before}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    const page = (await answer.json())[items]
    if (page.length === 0) return records
    records.push(...page)
  }
}

const keys = []
for (const { app_id: id } of await list('apps', 'apps', 'app_id'))
  keys.push(...(await list(`apps/${encodeURIComponent(id)}/keys`, 'keys', 'key_id')))
for (const { device_id: id } of await list('devices', 'devices', 'device_id'))
  keys.push(...(await list(`devices/${encodeURIComponent(id)}/keys`, 'keys', 'key_id')))
// A key whose text an operator chose has no known prefix.
const names = keys.filter((key) => key.revoked_at === null && key.prefix !== null).map((key) => key.prefix)
for (const webhook of await list('webhooks', 'webhooks', 'integration_id')) names.push(webhook.integration_id)

/** nginx ignores case and refuses a second line of the same name. Some words are reserved; a backslash escapes them. */
const nginxLines = () =>
  [...new Set(names.map((name) => name.toLowerCase()))].map((name) =>
    /^(default|hostnames|include|volatile)$/.test(name) ? `\\${name} ${cell};` : `${name} ${cell};`,
  )

const lines = proxy === 'nginx' ? nginxLines() : names.map((name) => `${name} ${cell}`)
for (const line of lines) process.stdout.write(`${line}\n`)
