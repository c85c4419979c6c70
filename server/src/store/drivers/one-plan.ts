/**
 * Nearly every statement of the store looks rows up by key, so one plan suits all parameters (`own-plan.ts` has the
 * exception). Left to choose, PostgreSQL plans the admission anew each time, which takes longer than carrying it out.
 */
export const ONE_PLAN = 'set plan_cache_mode to force_generic_plan'
