/** @jsxImportSource react */
import type { DynamicToolUIPart, UIMessage } from 'ai'

/** A message of this chat: its metadata contains the reported usage, and its data parts contain the result. */
export type ChatMessage = UIMessage<{ usage?: { output_tokens?: number } }, { result: Record<string, unknown> }>

export function Part({ part }: { part: ChatMessage['parts'][number] }) {
  switch (part.type) {
    case 'text':
      return <p>{part.text}</p>
    case 'reasoning':
      return (
        <details className="card" open={part.state === 'streaming'}>
          <summary>{part.state === 'streaming' ? 'Thinking …' : 'Thought about it'}</summary>
          <p>{part.text}</p>
        </details>
      )
    case 'dynamic-tool':
      return <ToolCard call={part} />
    case 'source-url':
      return <a href={part.url}>{part.title ?? part.url}</a>
    case 'data-result':
      return <ResultCard result={part.data} />
    default:
      return null
  }
}

function ToolCard({ call }: { call: DynamicToolUIPart }) {
  const isRunning = call.state === 'input-available' || (call.state === 'output-available' && call.preliminary)
  const mark = isRunning ? '…' : call.state === 'output-error' ? '✗' : '✓'
  return (
    <section className="card">
      <h2>
        {call.title ?? call.toolName} {mark}
      </h2>
      {call.input !== null && <pre>{JSON.stringify(call.input)}</pre>}
      {call.state === 'output-available' && <pre>{JSON.stringify(call.output)}</pre>}
      {call.state === 'output-error' && <p role="alert">{call.errorText}</p>}
    </section>
  )
}

function ResultCard({ result }: { result: Record<string, unknown> }) {
  return (
    <dl className="card">
      {Object.entries(result).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
