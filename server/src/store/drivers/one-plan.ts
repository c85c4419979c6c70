/**
 * Nearly every statement of the store looks rows up by key, so one plan suits all parameters (`own-plan.ts` has the
 * exception). Left to choose, PostgreSQL plans the admission anew each time, which takes longer than carrying it out. For
 * the same reason joins go row by row: a hash table for one row costs more than the look-up. And a table that was empty
 * when the plan was made is not read as a whole for each row of a list, as it would be until somebody analyzes it.
 */
export const ONE_PLAN = [
  'set plan_cache_mode to force_generic_plan',
  'set enable_seqscan to off',
  'set enable_hashjoin to off',
  'set enable_mergejoin to off',
  'set enable_material to off',
  'set jit to off',
].join('; ')
