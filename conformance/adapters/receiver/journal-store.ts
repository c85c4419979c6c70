import { open, readFile } from 'node:fs/promises'
import type { CallbackStore } from '@conversation-gateway/sdk/callbacks'
import type { StoredEvent } from '../../src/kit/config/receiver-config.ts'

/** A line of the journal: a handled event. */
interface Entry {
  readonly eventId: string
  readonly runId: string | null
  readonly conversationId: string | null
  readonly body: string
  readonly bodySha256: string
}

const readJournal = async (path: string): Promise<Entry[]> => {
  const lines = (await readFile(path, 'utf8')).split('\n')
  // A last line without a line break may still be being written.
  return lines.slice(0, -1).flatMap(parseEntry)
}

/** Skips a line that was incomplete when its process died, because its event was not confirmed. */
const parseEntry = (line: string): Entry[] => {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** Returns the journal's entry of an event, or null. */
export const readStored = async (path: string, eventId: string): Promise<StoredEvent | null> => {
  const entries = (await readJournal(path)).filter((entry) => entry.eventId === eventId)
  const [first] = entries
  return first ? { ...first, handled: entries.length } : null
}

/** A durable store for one process: a file with a line for each event, flushed to disk before `record` ends. */
export const openJournalStore = async (path: string): Promise<CallbackStore<undefined>> => {
  const append = async (text: string): Promise<void> => {
    const file = await open(path, 'a', 0o600)
    try {
      await file.writeFile(text)
      await file.datasync()
    } finally {
      await file.close()
    }
  }
  // Terminates an incomplete line of an earlier process.
  await append('\n')
  const recorded = new Map((await readJournal(path)).map(({ eventId, bodySha256 }) => [eventId, bodySha256]))
  const inProgress = new Map<string, Promise<unknown>>()

  return {
    record: async ({ event, body, bodySha256 }, handle) => {
      const { event_id: eventId, run_id: runId, conversation_id: conversationId } = event
      for (let other = inProgress.get(eventId); other; other = inProgress.get(eventId)) await other.catch(() => {})
      const earlier = recorded.get(eventId)
      if (earlier !== undefined) return earlier === bodySha256 ? 'duplicate' : 'conflicting'

      const recording = (async () => {
        await handle(undefined)
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
        const entry: Entry = { eventId, runId, conversationId, body: text, bodySha256 }
        await append(`${JSON.stringify(entry)}\n`)
        recorded.set(eventId, bodySha256)
      })()
      inProgress.set(eventId, recording)
      try {
        await recording
      } finally {
        inProgress.delete(eventId)
      }
      return 'new'
    },
  }
}
