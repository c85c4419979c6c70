import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { mayReadText } from '../../data/permissions.ts'
import { JsonTree } from '../../parts/json-tree.tsx'

interface MessagesProps {
  readonly messages: RunTimeline['messages']
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

/** The messages of a run or conversation; their texts are read only on request. */
export const Messages = ({ messages, isShown, onShow }: MessagesProps) => (
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
      {messages.map(({ message_id, role, text, data, activities, resource_ids, partial }) => (
        <li key={message_id}>
          <p class="muted small">
            {role}
            {partial && ', partial'}
            {resource_ids.length > 0 && `, ${resource_ids.length} attached`}
          </p>
          {activities?.map((activity) => (
            <Activity key={activity.activity_id} {...activity} />
          ))}
          {text !== null && text !== '' && <p class="message-text">{text}</p>}
          {data !== null && <JsonTree value={data} />}
        </li>
      ))}
    </ul>
  </section>
)

type ActivityOfRun = NonNullable<RunTimeline['messages'][number]['activities']>[number]

/** An activity of the assistant; its content is shown only when it is opened. */
const Activity = ({ kind, name, state, title, input, output, text }: ActivityOfRun) => (
  <details class="activity">
    <summary>
      {title ?? name} <span class="muted small">{`${kind}, ${state}`}</span>
    </summary>
    {text !== undefined && <p class="message-text">{text}</p>}
    <Json title="Input" value={input} />
    <Json title="Output" value={output} />
  </details>
)

const Json = ({ title, value }: { readonly title: string; readonly value: unknown }) =>
  value !== undefined && (
    <>
      <p class="muted small">{title}</p>
      <JsonTree value={value} />
    </>
  )
