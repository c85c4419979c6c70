import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as conflicts } from './conflicts.ts'
import { checks as durability } from './durability.ts'
import { checks as keys } from './keys.ts'
import { checks as races } from './races.ts'
import { checks as refusals } from './refusals.ts'
import { checks as replays } from './replays.ts'
import { checks as tenants } from './tenants.ts'

export const checks: readonly ServerCheck[] = [
  ...keys,
  ...conflicts,
  ...replays,
  ...tenants,
  ...refusals,
  ...races,
  ...durability,
]
