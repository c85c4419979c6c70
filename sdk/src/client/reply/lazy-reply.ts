import type { Reply, ReplyPort } from './reply.ts'

/** A reply that is loaded when somebody looks at it: who only sends has no use for it. */
export function createLazyReply(port: ReplyPort): Reply {
  let loaded: Reply | undefined
  const load = async (): Promise<Reply> => {
    const { createReply } = await import('./reply.ts')
    loaded ??= createReply(port)
    return loaded
  }
  const iterate = <Item>(of: (reply: Reply) => AsyncIterable<Item>): AsyncIterableIterator<Item, void> => {
    let loading: Promise<AsyncIterator<Item, void>> | undefined
    const items = (): Promise<AsyncIterator<Item, void>> => {
      loading ??= load().then((reply) => of(reply)[Symbol.asyncIterator]())
      return loading
    }
    return {
      next: async () => (await items()).next(),
      return: async () => (await (await items()).return?.()) ?? { done: true, value: undefined },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
  return {
    get position() {
      return loaded?.position ?? null
    },
    pieces: (options) => iterate((reply) => reply.pieces(options)),
    activities: (options) => iterate((reply) => reply.activities(options)),
    progress: (options) => iterate((reply) => reply.progress(options)),
    events: () => iterate((reply) => reply.events()),
    runId: async () => (await load()).runId(),
    run: async (options) => (await load()).run(options),
    toReadableStream: () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      load()
        .then((reply) => reply.toReadableStream().pipeTo(writable))
        .catch((error: unknown) => writable.abort(error))
        // The reader is told.
        .catch(() => {})
      return readable
    },
    toResponse: async (init) => (await load()).toResponse(init),
    [Symbol.asyncIterator]: () => iterate((reply) => reply),
  }
}
