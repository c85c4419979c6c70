import { Link } from 'wouter-preact'
import { gateway, LIVE_MS } from '../../data/gateway.ts'
import { usePolled } from '../../data/poll.ts'
import { SubjectId } from '../../parts/identifier.tsx'
import { Facts, Page, Problem } from '../../parts/page.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago, Moment } from '../../parts/time.tsx'
import { DeviceKeys } from './device-keys.tsx'
import { DeviceSessions } from './device-sessions.tsx'
import { DeviceSwitches } from './device-switches.tsx'

/** One device: its state, the workers that serve it, and their keys. */
export const Device = ({ id }: { id: string }) => {
  const { data, error, refresh } = usePolled(id, (signal) => gateway().devices.get(id, { signal }), LIVE_MS)
  return (
    <Page
      title={data?.name ?? 'Device'}
      aside={
        data !== undefined && <StatePill state={data.state === 'active' && !data.online ? 'offline' : data.state} />
      }
      actions={data !== undefined && <DeviceSwitches device={data} refresh={refresh} />}
    >
      <SubjectId id={id} />
      <Problem text={error} />
      {data !== undefined && (
        <Facts
          facts={[
            ['Last heartbeat', data.last_seen_at === null ? 'never' : <Ago key="seen" at={data.last_seen_at} />],
            ['Created', <Moment key="created" at={data.created_at} />],
            [
              'Runs',
              <Link key="runs" href={`/runs?device_id=${id}`}>
                runs of this device
              </Link>,
            ],
          ]}
        />
      )}
      <DeviceSessions deviceId={id} />
      <DeviceKeys deviceId={id} />
    </Page>
  )
}
