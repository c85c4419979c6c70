import { PARTLY_BROKEN } from '../../broken/gateways/faults.ts'
import { describeFaultyGateways } from './describe-faulty-gateways.ts'

/** All of them are tried by `npm run test:long`. */
describeFaultyGateways(PARTLY_BROKEN.slice(0, 2))
