/**
 * Nearly every statement of the store looks rows up by key, so a generic plan suits all parameters (`own-plan.ts` has
 * the exceptions). By default PostgreSQL plans the admission again each time, which takes longer than executing it.
 * Nested loops are forced for the same reason: a hash table for one row costs more than the look-up. With sequential
 * scans enabled, a plan made while a table was empty would read the whole table for each row until `analyze` runs.
 */
export const ONE_PLAN = [
  'set plan_cache_mode to force_generic_plan',
  'set enable_seqscan to off',
  'set enable_hashjoin to off',
  'set enable_mergejoin to off',
  'set enable_material to off',
  'set jit to off',
].join('; ')
