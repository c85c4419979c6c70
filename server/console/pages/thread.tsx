import { useState } from 'preact/hooks'
import { gateway } from '../data/gateway.ts'
import { useOnce } from '../data/once.ts'
import { Problem } from '../parts/page.tsx'
import { Messages } from './runs/run-messages.tsx'

/** The number of messages on a page of the thread. */
const PAGE = 50

/**
 * The messages of a conversation, newest first. Their texts are read only on request. While texts are hidden, a change
 * of `lastSeq` reads the messages again.
 */
export const Thread = ({ id, lastSeq }: { id: string; lastSeq: number }) => {
  const [isShown, setIsShown] = useState(false)
  const [before, setBefore] = useState<number | null>(null)
  const { data, error } = useOnce(JSON.stringify([id, isShown, before, isShown ? null : lastSeq]), (signal) => {
    const page = before === null ? { limit: PAGE } : { limit: PAGE, before }
    return gateway().conversations.messages(id, { ...page, include_text: isShown }, { signal })
  })
  const messages = data?.messages ?? []
  const oldest = messages.at(-1)
  return (
    <section>
      <Problem text={error} />
      <Messages messages={messages} isShown={isShown} onShow={setIsShown} />
      {data !== undefined && messages.length === 0 && <p class="calm">There is no message.</p>}
      <p>
        {before !== null && (
          <button type="button" onClick={() => setBefore(null)}>
            Newest messages
          </button>
        )}{' '}
        {oldest !== undefined && oldest.cursor > 1 && (
          <button type="button" onClick={() => setBefore(oldest.cursor)}>
            Earlier messages
          </button>
        )}
      </p>
    </section>
  )
}
