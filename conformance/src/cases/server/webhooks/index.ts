import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as admission } from './admission.ts'
import { checks as body } from './body.ts'
import { checks as controls } from './controls.ts'
import { checks as inputs } from './inputs.ts'
import { checks as mapping } from './mapping.ts'
import { checks as memory } from './memory.ts'
import { checks as oddBodies } from './odd-bodies.ts'
import { checks as paths } from './paths.ts'
import { checks as precedence } from './precedence.ts'
import { checks as repeats } from './repeats.ts'
import { checks as secrets } from './secrets.ts'
import { checks as settings } from './settings.ts'

export const checks: readonly ServerCheck[] = [
  ...admission,
  ...controls,
  ...inputs,
  ...paths,
  ...body,
  ...oddBodies,
  ...repeats,
  ...settings,
  ...secrets,
  ...precedence,
  ...mapping,
  ...memory,
]
