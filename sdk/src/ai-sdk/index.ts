export { type ChatClient, type ChatRequest, type ResumeOptions, resumeChat, sendChatMessage, stopChat } from './chat.ts'
export { toUIMessages } from './history.ts'
export { toUIMessageStream, toUIMessageStreamResponse, type UIMessageStreamOptions } from './ui-message-stream.ts'
