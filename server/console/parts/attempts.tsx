import type { DeliveryWithAttempts } from '@conversation-gateway/sdk/admin'
import { formatDuration } from './format.ts'
import { Moment } from './time.tsx'

/** Each attempt of a delivery: its time, the receiver's answer, and its duration. */
export const Attempts = ({ attempts }: { attempts: DeliveryWithAttempts['attempt_log'] }) =>
  attempts.length === 0 ? (
    <p class="calm">Not attempted yet.</p>
  ) : (
    <ol class="attempts" aria-label="Attempts">
      {attempts.map(({ attempt, started_at, latency_ms, status, error, excerpt }) => (
        <li key={attempt} class={error === null ? 'tone-good' : 'tone-bad'}>
          <p>
            <b>{status ?? 'no answer'}</b>
            <span>{error ?? 'Delivered.'}</span>
          </p>
          <p class="muted small">
            attempt {attempt}, <Moment at={started_at} />
            {latency_ms === null ? ', its process ended during the attempt' : `, ${formatDuration(latency_ms)}`}
          </p>
          {excerpt !== null && excerpt !== '' && <pre>{excerpt}</pre>}
        </li>
      ))}
    </ol>
  )
