import { oneAtATime } from '../../runtime/one-at-a-time.ts'
import type { CancelTimer, Timers } from '../../runtime/timers.ts'
import type { Db } from '../../store/db.ts'
import type { RunEnd } from '../../writer/run-end.ts'
import type { ConversationHint, Wakeups } from '../../writer/wakeups.ts'
import type { Hint } from './wakeup-payload.ts'
import { createHintList, readPayload } from './wakeup-payload.ts'

/** Ends the calls to a listener. */
export type StopListening = () => void

/** Adds a listener. It receives hints, or the notice that hints were lost and anything may have changed. */
export type Listen<Subject> = (onHint: (subject: Subject) => void, onLost: () => void) => StopListening

/**
 * Delivers wake-ups from writers to waiting readers: at once within the process, and by NOTIFY between the gateway's
 * processes, in at most one round per `wakeMs`.
 */
export interface WakeupBus extends Wakeups {
  readonly onConversation: Listen<ConversationHint>
  readonly onDevice: Listen<string>
  readonly onRun: Listen<string>
  readonly onDeliveries: Listen<null>
  /** Ends of runs that this process has written; they are not sent to other processes. */
  readonly onRunEnd: Listen<RunEnd>
  /** Sends pending hints and stops. */
  close(): Promise<void>
}

export interface WakeupBusOptions {
  readonly db: Pick<Db, 'kind' | 'listen' | 'notify'>
  readonly timers: Timers
  /** Unique among all processes of the gateway. */
  readonly processId: string
  /** Shortest time between two rounds of NOTIFY, in milliseconds. The first hint after a pause is sent at once. */
  readonly wakeMs: number
  /** Called for listeners that throw and rounds that fail; their hints are lost. */
  readonly onError: (error: unknown) => void
}

const CHANNEL = 'gateway_wakeups'
/** Maximum hints in one round; beyond it the other processes only learn that hints were lost. */
const HINTS_PER_ROUND = 4096

export const createWakeupBus = async (options: WakeupBusOptions): Promise<WakeupBus> => {
  const { db, timers, processId, wakeMs, onError } = options
  const conversations = createListeners<ConversationHint>(onError)
  const devices = createListeners<string>(onError)
  const runs = createListeners<string>(onError)
  const deliveries = createListeners<null>(onError)
  const runEnds = createListeners<RunEnd>(onError)
  const notifyLost = (): void => {
    conversations.notifyLost()
    devices.notifyLost()
    runs.notifyLost()
    deliveries.notifyLost()
  }
  const notify = (hint: Hint): void => {
    if (hint[0] === 'conversation') conversations.notify({ appId: hint[1], conversationId: hint[2] })
    else if (hint[0] === 'device') devices.notify(hint[1])
    else if (hint[0] === 'run') runs.notify(hint[1])
    else if (hint[0] === 'deliveries') deliveries.notify(null)
    else notifyLost()
  }

  // The embedded database serves one process only.
  const isAlone = db.kind === 'embedded'
  const listener = isAlone
    ? null
    : await db.listen(CHANNEL, (payload) => readPayload(payload, processId).forEach(notify), notifyLost)
  const outbox = createHintList(HINTS_PER_ROUND)
  let isClosing = false
  let endWindow: CancelTimer = () => {}
  const openWindow = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = timers.after(wakeMs, resolve)
      endWindow = () => {
        cancel()
        resolve()
      }
    })

  const send = oneAtATime(async () => {
    // Hints of one turn of the event loop are sent together.
    await null
    if (outbox.isEmpty) return
    const window = isClosing ? null : openWindow()
    try {
      await db.notify(CHANNEL, outbox.take(processId))
    } finally {
      await window
    }
  }, onError)
  const notifyOthers = (hint: Hint): void => {
    if (isAlone || isClosing) return
    outbox.add(hint)
    void send()
  }
  const notifyAll = (hint: Hint): void => {
    notify(hint)
    notifyOthers(hint)
  }

  return {
    conversationChanged: (hint) => {
      conversations.notify(hint)
      notifyOthers(['conversation', hint.appId, hint.conversationId])
    },
    workAvailable: (deviceId) => notifyAll(['device', deviceId]),
    runChanged: (runId) => notifyAll(['run', runId]),
    runEnded: runEnds.notify,
    deliveriesAdded: () => notifyAll(['deliveries']),
    onConversation: conversations.listen,
    onDevice: devices.listen,
    onRun: runs.listen,
    onDeliveries: deliveries.listen,
    onRunEnd: runEnds.listen,
    close: async () => {
      isClosing = true
      endWindow()
      await send()
      await listener?.close()
    },
  }
}

interface Listeners<Subject> {
  readonly listen: Listen<Subject>
  notify(subject: Subject): void
  notifyLost(): void
}

/** A listener that throws must not affect other listeners or the work whose commit is being announced. */
const createListeners = <Subject>(onError: (error: unknown) => void): Listeners<Subject> => {
  const listeners = new Set<{ onHint: (subject: Subject) => void; onLost: () => void }>()
  const callEach = (call: (listener: { onHint: (subject: Subject) => void; onLost: () => void }) => void): void => {
    for (const listener of listeners)
      try {
        call(listener)
      } catch (error) {
        onError(error)
      }
  }
  return {
    listen: (onHint, onLost) => {
      const listener = { onHint, onLost }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    notify: (subject) => callEach(({ onHint }) => onHint(subject)),
    notifyLost: () => callEach(({ onLost }) => onLost()),
  }
}
