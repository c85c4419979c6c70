import { PARTLY_BROKEN } from '../../../broken/gateways/faults.ts'
import { describeFaultyGateways } from '../describe-faulty-gateways.ts'

describeFaultyGateways(PARTLY_BROKEN.slice(2))
