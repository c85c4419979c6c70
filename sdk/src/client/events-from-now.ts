import { isApiError } from '../errors.ts'

/**
 * What happens from now on, for a wait that has looked at the state before: first an item of its own, since something
 * may have happened in between, then the events. A key that may not read the conversation gets all events of `open`.
 * @param place Where those are who read the same events in this client, whom the wait joins; undefined when nobody does.
 */
export async function* eventsFromNow(
  place: number | null | undefined,
  readSnapshot: () => Promise<{ readonly watermark: number }>,
  open: (after: number | undefined) => AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const after = place === undefined ? await readWatermark(readSnapshot) : (place ?? undefined)
  yield after
  yield* open(after)
}

const readWatermark = (readSnapshot: () => Promise<{ readonly watermark: number }>): Promise<number | undefined> =>
  readSnapshot().then(
    ({ watermark }) => watermark,
    (error: unknown) => {
      if (isApiError(error, 'PERMISSION_DENIED')) return undefined
      throw error
    },
  )
