import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as addresses } from './addresses.ts'
import { checks as allowlist } from './allowlist.ts'
import { checks as answers } from './answers.ts'
import { checks as attempts } from './attempts.ts'
import { checks as configuration } from './configuration.ts'
import { checks as content } from './content.ts'
import { checks as durability } from './durability.ts'
import { checks as lifetime } from './lifetime.ts'
import { checks as schedule } from './schedule.ts'
import { checks as secrets } from './secrets.ts'

export const checks: readonly ServerCheck[] = [
  ...content,
  ...answers,
  ...configuration,
  ...secrets,
  ...addresses,
  ...allowlist,
  ...lifetime,
  ...schedule,
  ...attempts,
  ...durability,
]
