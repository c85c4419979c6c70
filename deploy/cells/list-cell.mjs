// Prints the proxy's map of one cell: a line with the prefix of each unrevoked key that has one, and a line with the ID
// of each webhook.
// Usage, on a machine of the cell: GATEWAY_ADMIN_TOKEN=… node list-cell.mjs orders http://127.0.0.1:8788 nginx
const [cell, origin, proxy] = process.argv.slice(2)
const token = process.env.GATEWAY_ADMIN_TOKEN
if (!['nginx', 'haproxy'].includes(proxy) || token === undefined) {
  process.stderr.write(
    'Set GATEWAY_ADMIN_TOKEN, and pass three arguments: the name of a cell, the origin of its operator API, and nginx or haproxy.\n',
  )
  process.exit(2)
}

/**
 * All records of a list. Any refusal ends this program, because an incomplete map would cut applications off.
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
// The gateway knows no prefix of a key whose text an operator chose.
const names = keys.filter((key) => key.revoked_at === null && key.prefix !== null).map((key) => key.prefix)
for (const webhook of await list('webhooks', 'webhooks', 'integration_id')) names.push(webhook.integration_id)

/** nginx ignores case and rejects duplicate names. It reserves some words; a backslash escapes them. */
const nginxLines = () =>
  [...new Set(names.map((name) => name.toLowerCase()))].map((name) =>
    /^(default|hostnames|include|volatile)$/.test(name) ? `\\${name} ${cell};` : `${name} ${cell};`,
  )

const lines = proxy === 'nginx' ? nginxLines() : names.map((name) => `${name} ${cell}`)
for (const line of lines) process.stdout.write(`${line}\n`)
