import type { IdPrefix } from '@conversation-gateway/openapi/behaviour/ids'

/**
 * An expression for the identifier of a row that the database makes itself, in the form of `newId`: with the time of
 * `moment`, an expression too, and random bits behind it.
 */
export const newIdSql = (prefix: IdPrefix, moment: string): string =>
  `'${prefix}_' || lpad(to_hex((extract(epoch from ${moment}::timestamptz) * 1000)::bigint), 12, '0')
      || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)`
