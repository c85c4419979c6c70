import type { Db, Statement } from './db.ts'

/** The oldest supported PostgreSQL. */
const OLDEST_VERSION = 15
const VERSION_UNITS = 10_000

interface DatabaseTraits {
  readonly database: string
  readonly role: string
  readonly version: number
  readonly encoding: string
  readonly searchPath: string
  /** The schema for new tables; null if no schema of the search path exists. */
  readonly schema: string | null
  readonly mayCreate: boolean
  readonly isReadOnly: boolean
}

const READ_TRAITS: Statement = {
  name: 'database_traits',
  access: 'read',
  text: `select current_database() as database, current_user as role, current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding, current_setting('search_path') as "searchPath", current_schema() as schema,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
  current_setting('transaction_read_only')::boolean as "isReadOnly"`,
}

/** Why a gateway cannot use this database, and how to fix it; null if it can. */
export const findDatabaseObstacle = async (db: Pick<Db, 'query'>): Promise<string | null> => {
  const [traits] = await db.query<DatabaseTraits>(READ_TRAITS, [])
  return traits === undefined ? null : describeObstacle(traits)
}

export const describeObstacle = (traits: DatabaseTraits): string | null => {
  const { database, role, encoding, schema, searchPath } = traits
  const version = Math.floor(traits.version / VERSION_UNITS)
  if (version < OLDEST_VERSION)
    return `the server is PostgreSQL ${version}; the gateway needs ${OLDEST_VERSION} or later.`
  if (encoding !== 'UTF8')
    return `the database ${database} has the encoding ${encoding}, which cannot store every text. Create one in UTF8 and set DATABASE_URL to it: create database gateway encoding 'UTF8' template template0.`
  if (traits.isReadOnly) return 'the server takes no writes: set DATABASE_URL to the primary.'
  if (schema === null)
    return `no schema of the search path (${searchPath}) exists in the database ${database}. Create one, or set the path: alter role "${role}" set search_path to public.`
  if (!traits.mayCreate)
    return `the role ${role} may not create tables in the schema ${schema}. Let it own the database (alter database "${database}" owner to "${role}"), or: grant create, usage on schema "${schema}" to "${role}".`
  return null
}
