import type { IdPrefix } from '@conversation-gateway/openapi/behaviour/ids'

/**
 * An SQL expression for a new identifier in the format of `newId`: the time of `moment`, also an expression, followed
 * by random bits.
 */
export const newIdSql = (prefix: IdPrefix, moment: string): string =>
  `'${prefix}_' || lpad(to_hex((extract(epoch from ${moment}::timestamptz) * 1000)::bigint), 12, '0')
      || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)`
