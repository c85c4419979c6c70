import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'

/** Whether an operator asks for the contents of messages, and may read them. */
export interface AskedText {
  readonly withText: boolean
  readonly mayReadText: boolean
}

export const mayRead = ({ withText, mayReadText }: AskedText): boolean => mayReadText || !withText

export const NO_TEXT = refuse(
  'PERMISSION_DENIED',
  'This operator may not read the contents of messages; leave include_text out.',
)
