import type { Device } from '@conversation-gateway/sdk/admin'
import { gateway } from '../../data/gateway.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { confirm } from '../../parts/dialogs.tsx'

type Switch = 'pause' | 'resume' | 'disable' | 'enable'

/** An operator's actions on a device, and their effects. */
const SWITCHES: Readonly<Record<Switch, { action: string; done: string; consequences: readonly string[] }>> = {
  pause: {
    action: 'Pause',
    done: 'paused',
    consequences: [
      'New work for its services is refused with 503 CAPABILITY_UNAVAILABLE.',
      'Executing runs continue to their end; queued runs wait until it is resumed, or until their latest start time.',
      'Conversations, history and streams stay readable.',
    ],
  },
  resume: {
    action: 'Resume',
    done: 'resumed',
    consequences: ['Its services take new work again, and queued runs start as slots become free.'],
  },
  disable: {
    action: 'Disable',
    done: 'disabled',
    consequences: [
      'New work for its services is refused with 403 PERMISSION_DENIED, which applications treat as final.',
      'Conversations, history and streams stay readable.',
      'To stop new work for a while, pause it instead.',
    ],
  },
  enable: {
    action: 'Enable',
    done: 'enabled',
    consequences: ['Its services take work again.'],
  },
}

/** Asks for confirmation, and then changes the device. */
const askToSwitch = ({ device_id }: Device, which: Switch, refresh: () => void): void => {
  const { action, done, consequences } = SWITCHES[which]
  confirm({
    title: `${action} ${device_id}?`,
    consequences,
    action: `${action} device`,
    isDangerous: which === 'disable',
    run: async () => {
      await gateway().devices[which](device_id)
      refresh()
    },
    done: `${device_id} is ${done}.`,
  })
}

const switchesOf = ({ state }: Device): readonly Switch[] => {
  if (state === 'disabled') return ['enable']
  return state === 'paused' ? ['resume', 'disable'] : ['pause', 'disable']
}

/** The buttons for the device's state. @param isSmall for buttons in a row of a table. */
export const DeviceSwitches = ({
  device,
  refresh,
  isSmall = false,
}: {
  device: Device
  refresh: () => void
  isSmall?: boolean
}) => (
  <>
    {switchesOf(device).map((each) => (
      <ActionButton
        operation={`${each}Device`}
        key={each}
        {...(isSmall ? { class: 'small' } : {})}
        label={`${SWITCHES[each].action} ${device.device_id}`}
        onClick={() => askToSwitch(device, each, refresh)}
      >
        {SWITCHES[each].action}
      </ActionButton>
    ))}
  </>
)
