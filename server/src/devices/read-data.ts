import type { AssistantInput } from '../assistants/assistant.ts'

/** Data as assistants get it, from the JSON that was sent. */
export const readData = (json: string | null): Pick<AssistantInput, 'data' | 'dataText'> => ({
  data: json === null ? null : JSON.parse(json),
  dataText: json,
})
