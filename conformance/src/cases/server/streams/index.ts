import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as expiredPositions } from './expired-positions.ts'
import { checks as frames } from './frames.ts'
import { checks as keepalives } from './keepalives.ts'
import { checks as lifetime } from './lifetime.ts'
import { checks as observation } from './observation.ts'
import { checks as opening } from './opening.ts'
import { checks as positions } from './positions.ts'
import { checks as runStreams } from './run-streams.ts'
import { checks as slowReaders } from './slow-readers.ts'
import { checks as streamLimits } from './stream-limits.ts'

export const checks: readonly ServerCheck[] = [
  ...opening,
  ...positions,
  ...expiredPositions,
  ...frames,
  ...runStreams,
  ...observation,
  ...slowReaders,
  ...streamLimits,
  ...keepalives,
  ...lifetime,
]
