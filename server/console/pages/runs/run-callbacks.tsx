import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { Identifier } from '../../parts/identifier.tsx'
import { StatePill } from '../../parts/state-pill.tsx'

/** The callbacks about a run and their states. */
export const RunCallbacks = ({ deliveries }: { deliveries: RunTimeline['deliveries'] }) =>
  deliveries.length === 0 ? (
    <p class="calm">None: no callback is configured for its events, or there has been no such event yet.</p>
  ) : (
    <ul class="run-callbacks">
      {deliveries.map(({ delivery_id, callback_id, event_type, state, attempts, last_error }) => (
        <li key={delivery_id}>
          <p>
            <Identifier id={delivery_id} href={`/deliveries/${delivery_id}`} />
            <StatePill state={state} />
          </p>
          <p class="muted small">
            {event_type} to {callback_id}, {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
          </p>
          {last_error !== null && state !== 'delivered' && <p class="tone-bad toned small">{last_error.message}</p>}
        </li>
      ))}
    </ul>
  )
