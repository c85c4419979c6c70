import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as admission } from './admission.ts'
import { checks as bySignature } from './by-signature.ts'
import { checks as identifiers } from './identifiers.ts'
import { checks as isolation } from './isolation.ts'
import { checks as openness } from './openness.ts'
import { checks as operatorIds } from './operator-ids.ts'
import { checks as outcome } from './outcome.ts'
import { checks as prefix } from './prefix.ts'
import { checks as timestamps } from './timestamps.ts'
import { checks as work } from './work.ts'

export const checks: readonly ServerCheck[] = [
  ...prefix,
  ...outcome,
  ...bySignature,
  ...work,
  ...admission,
  ...isolation,
  ...identifiers,
  ...operatorIds,
  ...timestamps,
  ...openness,
]
