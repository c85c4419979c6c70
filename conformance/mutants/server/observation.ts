import type { Mutant } from '../mutant.ts'

const OBSERVE = 'server/src/observe-gateway.ts'

/** Gateways that tell their operator something else than what is. */
export const observationMutants: readonly Mutant[] = [
  {
    name: 'observation-pause-is-not-told',
    rule: 'OPS-19',
    fault: '/readyz says that admission is open while it is paused.',
    file: OBSERVE,
    find: "state.admissionPaused ? 'paused' : 'open'",
    replace: "'open'",
  },
  {
    name: 'observation-paused-is-not-ready',
    rule: 'OPS-19',
    fault: 'A process is not ready while admission is paused.',
    file: OBSERVE,
    find: 'ready: state.takesWrites && ',
    replace: 'ready: state.takesWrites && !state.admissionPaused && ',
  },
]
