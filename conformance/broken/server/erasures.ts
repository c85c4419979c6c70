import type { Mutant } from '../mutant.ts'

/** Erasures that leave data, or that never end. */
export const erasureMutants: readonly Mutant[] = [
  {
    name: 'erasures-runs-stay',
    rule: 'ERASE-01',
    fault: 'The runs of an erased conversation can be read.',
    file: 'server/src/store/erasure/erasing.ts',
    find: 'update runs set subject = ${ERASED_LITERAL} where',
    replace: 'update runs set subject = subject where',
  },
  {
    name: 'erasures-count-no-conversations',
    rule: 'ERASE-02',
    fault: 'The receipt counts no conversations.',
    file: 'server/src/gateway/erase.ts',
    find: '{ conversations: 1, runs:',
    replace: '{ conversations: 0, runs:',
  },
  {
    name: 'erasures-wait-for-ever',
    rule: 'ERASE-03',
    fault: 'Work that never stops is never erased.',
    file: 'server/src/gateway/erase.ts',
    find: 'if (stopUntil <= draft.now)',
    replace: 'if (stopUntil.getTime() < 0)',
  },
  {
    name: 'erasures-are-undone',
    rule: 'ERASE-04',
    fault: 'A request whose effect was erased is executed again.',
    file: 'server/src/store/idempotency.ts',
    find: "subject = ' erased' and key = $4",
    replace: "subject = ' erased' and key = $4 || 'x'",
  },
]
