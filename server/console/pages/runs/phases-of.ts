import type { RunTimeline } from '@conversation-gateway/sdk/admin'

export interface Phase {
  readonly name: 'waited' | 'first-output' | 'answered' | 'executed' | 'decision'
  readonly ms: number
  /** Whether it is still in progress. */
  readonly isOpen: boolean
}

/**
 * How long a run waited for its start, was executed until its first output, and answered, or was executed without
 * output; and how long it waited for decisions. Pure.
 */
export const phasesOf = (
  { run, started_at, first_output_at, approvals }: RunTimeline,
  now: number,
): readonly Phase[] => {
  const created = Date.parse(run.created_at)
  const isOver = run.finished_at !== null
  const end = run.finished_at === null ? Math.max(now, Date.parse(run.updated_at)) : Date.parse(run.finished_at)
  if (started_at === null) return [{ name: 'waited', ms: end - created, isOpen: !isOver }]
  const started = Date.parse(started_at)
  const waits = approvals.map(({ created_at, decided_at }) => ({
    from: Date.parse(created_at),
    to: decided_at === null ? end : Math.min(end, Date.parse(decided_at)),
  }))
  const isWaiting = run.state === 'waiting_approval'
  const decisionMs = sum(waits.map(({ from, to }) => Math.max(0, to - from)))
  /** A phase, without the time in which it waited for decisions. */
  const phase = (name: Phase['name'], from: number, to: number, isLast: boolean): Phase => {
    const waited = sum(waits.map((wait) => Math.max(0, Math.min(wait.to, to) - Math.max(wait.from, from))))
    return { name, ms: to - from - waited, isOpen: isLast && !isOver && !isWaiting }
  }
  const output = first_output_at === null ? null : Date.parse(first_output_at)
  return [
    { name: 'waited', ms: started - created, isOpen: false },
    ...(output === null
      ? [phase('executed', started, end, true)]
      : [phase('first-output', started, output, false), phase('answered', output, end, true)]),
    ...(waits.length === 0 ? [] : [{ name: 'decision', ms: decisionMs, isOpen: isWaiting } as const]),
  ]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
