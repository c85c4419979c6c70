import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { mayReadText } from '../../data/permissions.ts'

interface RunMessagesProps {
  readonly messages: RunTimeline['messages']
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

/** What was asked and answered; its words only on request. */
export const RunMessages = ({ messages, isShown, onShow }: RunMessagesProps) => (
  <section>
    <header class="section-head">
      <h2>Messages</h2>
      {mayReadText() && (
        <button type="button" aria-pressed={isShown} onClick={() => onShow(!isShown)}>
          {isShown ? 'Hide their text' : 'Show their text'}
        </button>
      )}
    </header>
    <ul class="messages">
      {messages.map(({ message_id, role, text, data, resource_ids, partial }) => (
        <li key={message_id}>
          <p class="muted small">
            {role}
            {partial && ', partial'}
            {resource_ids.length > 0 && `, ${resource_ids.length} attached`}
          </p>
          {text !== null && <p class="message-text">{text}</p>}
          {data !== null && <pre>{JSON.stringify(data, null, 2)}</pre>}
        </li>
      ))}
    </ul>
  </section>
)
