import type { DeliveryDetails } from '@conversation-gateway/sdk/admin'
import { useState } from 'preact/hooks'
import { gateway, LIVE_MS } from '../../data/gateway.ts'
import { useOnce } from '../../data/once.ts'
import { mayReadText } from '../../data/permissions.ts'
import { usePolled } from '../../data/poll.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Attempts } from '../../parts/attempts.tsx'
import { confirm } from '../../parts/dialogs.tsx'
import { Identifier, SubjectId } from '../../parts/identifier.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { Facts, Page, Problem } from '../../parts/page.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ahead, Moment } from '../../parts/time.tsx'

/** The delivery of one event to one receiver: its attempts, and a manual retry. */
export const Delivery = ({ id }: { id: string }) => {
  const { data, error, refresh } = usePolled(
    id,
    (signal) => gateway().callbacks.getDelivery(id, {}, { signal }),
    LIVE_MS,
  )
  return (
    <Page
      title="Delivery"
      aside={data !== undefined && <StatePill state={data.state} />}
      actions={
        data !== undefined &&
        isRetriable(data) && (
          <ActionButton operation="retryDelivery" class="primary" onClick={() => askToRetry(data, refresh)}>
            Retry
          </ActionButton>
        )
      }
    >
      <SubjectId id={id} />
      <Problem text={error} />
      {data !== undefined && (
        <>
          <Facts
            facts={[
              ['Event', `${data.event_type}, seq ${data.seq}`],
              ['Application', <Identifier key="app" id={data.app_id} href={`/apps/${data.app_id}`} whole />],
              [
                'Conversation',
                <Identifier
                  key="conversation"
                  id={data.conversation_id}
                  href={`/conversations/${data.conversation_id}`}
                />,
              ],
              ['Run', data.run_id && <Identifier key="run" id={data.run_id} href={`/runs/${data.run_id}`} />],
              [
                'Callback',
                <span key="callback">
                  {data.callback_id}, version {data.callback_version}
                </span>,
              ],
              ['Created', <Moment key="created" at={data.created_at} />],
              ['Next attempt', data.next_attempt_at && <Ahead key="next" at={data.next_attempt_at} />],
              ['Window ends', <Moment key="ends" at={data.expires_at} />],
              ['URL', data.url ?? 'not retained: the callback has changed since'],
            ]}
          />
          <section>
            <h2>Attempts</h2>
            <Attempts attempts={data.attempt_log} />
          </section>
          <Body delivery={data} />
        </>
      )}
    </Page>
  )
}

/** The body of every attempt. It contains texts of customers, so it is read only on request. */
const Body = ({ delivery: { delivery_id, has_body } }: { delivery: DeliveryDetails }) => {
  const [isShown, setIsShown] = useState(false)
  const { data, error } = useOnce(isShown ? delivery_id : null, (signal) =>
    gateway().callbacks.getDelivery(delivery_id, { include_text: true }, { signal }),
  )
  return (
    <section>
      <header class="section-head">
        <h2>Body</h2>
        {has_body && mayReadText() && (
          <button type="button" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
            {isShown ? 'Hide it' : 'Show it'}
          </button>
        )}
      </header>
      <Problem text={error} />
      {!has_body && <p class="calm">No longer retained. The event will not be sent again.</p>}
      {data !== undefined && data.body !== null && (
        <div class="panel">
          <JsonTree value={data.body} />
        </div>
      )}
    </section>
  )
}

const isRetriable = ({ state }: DeliveryDetails): boolean => state === 'needs_action' || state === 'expired'

const askToRetry = ({ delivery_id, callback_id }: DeliveryDetails, refresh: () => void): void =>
  confirm({
    title: 'Retry this delivery?',
    consequences: [
      `The event is sent to ${callback_id} again, with the same ID and text, so that the receiver recognises it if it has already received it.`,
      'It gets 8 further attempts within 24 hours.',
    ],
    action: 'Retry delivery',
    run: async () => {
      await gateway().callbacks.retryDelivery(delivery_id)
      refresh()
    },
    done: 'The delivery is pending again.',
  })
