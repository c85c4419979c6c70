/** A `fetch` that reaches the gateway in memory and nothing else, as hosts have it: it rejects where no answer arrives. */
export const createPlainFetch =
  (origin: string | null, answer: (request: Request) => Promise<Response>): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    if (origin !== null && new URL(request.url).origin !== origin)
      throw new TypeError(`fetch failed: the test gateway is ${origin}, and nothing else is reached.`)
    signal.throwIfAborted()
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const response = await Promise.race([answer(request), aborted])
    if (response.type === 'error')
      throw new TypeError('fetch failed', { cause: new Error('The connection was reset.') })
    const { body, status, headers } = response
    // Aborting ends a body that is being read, too.
    return body === null
      ? response
      : new Response(body.pipeThrough(new TransformStream(), { signal }), { status, headers })
  }
