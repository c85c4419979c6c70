import type { App } from '@conversation-gateway/sdk/admin'
import { Link } from 'wouter-preact'
import { gateway, SLOW_MS } from '../../data/gateway.ts'
import { usePolled } from '../../data/poll.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { confirm } from '../../parts/dialogs.tsx'
import { formatLimit } from '../../parts/format.ts'
import { SubjectId } from '../../parts/identifier.tsx'
import { Facts, Page, Problem } from '../../parts/page.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Moment } from '../../parts/time.tsx'
import { ApplicationKeys } from './application-keys.tsx'
import { ApplicationServices } from './application-services.tsx'

/** One application: its limits, its keys and its services. */
export const Application = ({ id }: { id: string }) => {
  const { data, error, refresh } = usePolled(id, (signal) => gateway().apps.get(id, { signal }), SLOW_MS)
  return (
    <Page
      title={data?.name ?? 'Application'}
      aside={data !== undefined && <StatePill state={data.state} />}
      actions={
        data !== undefined && (
          <ActionButton operation="updateApp" onClick={() => askToSwitch(data, refresh)}>
            {data.state === 'disabled' ? 'Enable' : 'Disable'}
          </ActionButton>
        )
      }
    >
      <SubjectId id={id} />
      <Problem text={error} />
      {data !== undefined && (
        <Facts
          facts={[
            ['Owner', data.owner_id],
            ...LIMITS.map(([name, title]) => [title, limitOf(data[name], data.limits_in_force[name])] as const),
            [
              'Open streams',
              <span key="streams">
                see the metric{' '}
                <code>
                  gateway_app_
                  <wbr />
                  open_streams
                </code>
              </span>,
            ],
            ['Created', <Moment key="created" at={data.created_at} />],
            [
              'Usage',
              <Link key="usage" href={`/usage?app_id=${id}`}>
                runs by day
              </Link>,
            ],
          ]}
        />
      )}
      <ApplicationKeys appId={id} />
      <ApplicationServices appId={id} />
    </Page>
  )
}

const LIMITS = [
  ['pending_limit', 'Max. unfinished runs'],
  ['rate_limit_per_second', 'Max. requests per second'],
  ['stream_limit', 'Max. streams'],
  ['subject_stream_limit', 'Max. streams of a subject'],
] as const

/** The effective value, and whether the application has its own. */
const limitOf = (own: number | null, inForce: number | null): string =>
  `${formatLimit(inForce)}${own === null ? ' (default)' : ''}`

const askToSwitch = ({ app_id, state }: App, refresh: () => void): void => {
  const isDisabled = state === 'disabled'
  confirm({
    title: `${isDisabled ? 'Enable' : 'Disable'} ${app_id}?`,
    consequences: isDisabled
      ? ['Its keys work again within 5 seconds.']
      : [
          'Within 5 seconds, every request with one of its keys is answered with 403, including reads.',
          'Admitted runs continue, and callbacks are still delivered.',
          'Its data stays; enabling it again restores everything.',
        ],
    action: isDisabled ? 'Enable application' : 'Disable application',
    isDangerous: !isDisabled,
    run: async () => {
      await gateway().apps.update(app_id, { state: isDisabled ? 'active' : 'disabled' })
      refresh()
    },
    done: `${app_id} is ${isDisabled ? 'enabled' : 'disabled'}.`,
  })
}
