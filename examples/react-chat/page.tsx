/** @jsxImportSource react */
import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'
import { StrictMode, type SubmitEvent } from 'react'
import { createRoot } from 'react-dom/client'
import { type ChatMessage, Part } from './parts.tsx'

const transport = new DefaultChatTransport<ChatMessage>({ api: '/api/chat' })

function Chat({ id, messages: earlier }: { id: string; messages: ChatMessage[] }) {
  // After a reload, or on another device, `resume` continues the answer in progress.
  const { messages, status, error, sendMessage, stop } = useChat({ id, messages: earlier, transport, resume: true })
  const isBusy = status === 'submitted' || status === 'streaming'

  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void sendMessage({ text: String(new FormData(event.currentTarget).get('text')) })
    event.currentTarget.reset()
  }
  const stopAnswer = async () => {
    // This request stops the run; the hook's own `stop` only stops reading.
    await fetch(`/api/chat/${id}/stop`, { method: 'POST' })
    await stop()
  }

  return (
    <main>
      <h1>Where is my order?</h1>
      <div aria-live="polite">
        {messages.map(({ id, role, parts, metadata }) => (
          <article key={id} className={role}>
            {parts.map((part, index) => (
              // Parts are only appended, so an index always means the same part.
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no IDs of their own
              <Part key={index} part={part} />
            ))}
            {metadata?.usage && <small>{metadata.usage.output_tokens} tokens</small>}
          </article>
        ))}
        {error && <p role="alert">{error.message}</p>}
      </div>
      <form onSubmit={send}>
        <input name="text" required autoComplete="off" aria-label="Message" defaultValue="Where is order 4712?" />
        {isBusy ? (
          <button type="button" onClick={() => void stopAnswer()}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </form>
    </main>
  )
}

const chat = await (await fetch('/api/chat')).json()
const root = createRoot(document.querySelector('#root') ?? document.body)
root.render(
  <StrictMode>
    <Chat {...chat} />
  </StrictMode>,
)
