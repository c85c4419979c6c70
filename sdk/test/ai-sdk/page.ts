import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { createElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

/** A page with one chat. It is bundled for the browser and uses the routes of `backend.ts`. */

/** What the page shows, for the test. */
export interface ShownChat {
  readonly status: string
  readonly messages: readonly UIMessage[]
}

interface ChatProps {
  readonly id: string
  readonly messages: UIMessage[]
  /** A text that the page sends with a fixed message ID when it is opened. */
  readonly opening: string | null
}

const transport = new DefaultChatTransport<UIMessage>({ api: '/api/chat' })

function Chat({ id, messages, opening }: ChatProps) {
  const chat = useChat({ id, messages, resume: opening === null, transport })
  const { sendMessage } = chat
  useEffect(() => {
    if (opening !== null) void sendMessage({ id: 'opening', role: 'user', parts: [{ type: 'text', text: opening }] })
  }, [opening, sendMessage])
  const shown: ShownChat = { status: chat.status, messages: chat.messages }
  return createElement(
    'main',
    null,
    createElement('pre', { id: 'shown' }, JSON.stringify(shown)),
    createElement('button', { type: 'button', id: 'send', onClick: () => void sendMessage({ text: 'Go' }) }, 'Send'),
    createElement(
      'button',
      {
        type: 'button',
        id: 'stop',
        onClick: async () => {
          await fetch(`/api/chat/${id}/stop`, { method: 'POST' })
          await chat.stop()
        },
      },
      'Stop',
    ),
  )
}

const { pathname, searchParams } = new URL(location.href)
const id = pathname.slice(1)
const messages: UIMessage[] = await (await fetch(`/api/chat/${id}/messages`)).json()
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  createElement(StrictMode, null, createElement(Chat, { id, messages, opening: searchParams.get('opening') })),
)
