import { asWords } from './format.ts'

/** The kind of a state: idle, in progress, needing attention, good or bad. */
export type Tone = 'idle' | 'busy' | 'warn' | 'good' | 'bad'

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  approved: 'good',
  delivered: 'good',
  online: 'good',
  open: 'good',
  succeeded: 'good',
  enabled: 'good',
  running: 'busy',
  sending: 'busy',
  cancelling: 'warn',
  paused: 'warn',
  pending: 'warn',
  reconciling: 'warn',
  resetting: 'warn',
  waiting_approval: 'warn',
  denied: 'bad',
  expired: 'bad',
  failed: 'bad',
  interrupted: 'bad',
  needs_action: 'bad',
  offline: 'bad',
}

/** A state as text and colour. */
export const StatePill = ({ state, tone = TONES[state] ?? 'idle' }: { state: string; tone?: Tone }) => (
  <span class={`pill tone-${tone}`}>{asWords(state)}</span>
)
