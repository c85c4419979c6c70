import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Creates empty databases on the server of an existing one. */
export interface EmptyDatabases {
  create(): Promise<{ readonly url: string; drop(): Promise<void> }>
}

interface Client {
  connect(): Promise<void>
  query(sql: string): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
  end(): Promise<void>
}

/** Uses the database driver of the gateway's checkout. Null if the URL's role may not create databases. */
export async function prepareDatabases(gatewayDir: string, databaseUrl: string): Promise<EmptyDatabases | null> {
  const driver: { readonly Client: new (options: { connectionString: string }) => Client } = createRequire(
    join(gatewayDir, 'server/package.json'),
  )('pg')
  const query = async (sql: string) => {
    const client = new driver.Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const [role] = await query('select rolcreatedb or rolsuper as allowed from pg_roles where rolname = current_user')
  if (role?.allowed !== true) return null
  return {
    create: async () => {
      const name = `gateway_conformance_${randomBytes(6).toString('hex')}`
      await query(`create database ${name}`)
      const url = new URL(databaseUrl)
      url.pathname = `/${name}`
      return {
        url: url.href,
        drop: async () => {
          await query(`drop database ${name} with (force)`)
        },
      }
    },
  }
}
