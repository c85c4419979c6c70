import { PARTLY_BROKEN } from '../../broken/gateways/faults.ts'
import { describeFaultyGateways } from './describe-faulty-gateways.ts'

/** `npm run test:long` tests the others. */
describeFaultyGateways(PARTLY_BROKEN.slice(0, 2))
