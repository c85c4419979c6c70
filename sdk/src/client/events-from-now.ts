import { isApiError } from '../errors.ts'

/**
 * What happens from now on, for a wait that has looked at the state before: first an item of its own, since something
 * may have happened in between, then the events. A key that may not read the conversation gets all events of `open`.
 */
export async function* eventsFromNow(
  readSnapshot: () => Promise<{ readonly watermark: number }>,
  open: (after: number | undefined) => AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const watermark = await readSnapshot().then(
    (snapshot) => snapshot.watermark,
    (error: unknown) => {
      if (isApiError(error, 'PERMISSION_DENIED')) return undefined
      throw error
    },
  )
  yield watermark
  yield* open(watermark)
}
