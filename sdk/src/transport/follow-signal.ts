/** A controller that is aborted with `outer` and its reason. Aborting it removes its listener from `outer`. */
export const followSignal = (outer: AbortSignal | undefined): AbortController => {
  const controller = new AbortController()
  const abort = (): void => controller.abort(outer?.reason)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort, { signal: controller.signal })
  return controller
}
