import type { ServerCheck } from '../../../targets/server/system.ts'
import { checks as outcomes } from './outcomes.ts'
import { checks as stepsInOrder } from './steps-in-order.ts'
import { checks as stopping } from './stopping.ts'

export const checks: readonly ServerCheck[] = [...stepsInOrder, ...outcomes, ...stopping]
