import type { Answer, HeaderFields } from './answer.ts'
import { cannedAnswer, withContent, withoutFields } from './answer.ts'
import type { Bytes, Ending } from './bytes.ts'
import { drain, interruptAt } from './bytes.ts'
import { gzipped, interruptAfterEvents, rewriteLineEndings } from './content-faults.ts'
import type { AnswerPart, Fault } from './fault.ts'
import { aborted, delayed, split } from './wire-faults.ts'

/** Gets the answer to an exchange: an HTTP answer, raw bytes, or none. */
export type Ask = () => Promise<Answer | Uint8Array | null>

/** The parts of an exchange that faults need. */
export interface ExchangeContext {
  /** Aborted when the client has disconnected. */
  readonly ended: AbortSignal
  /** Call this when nothing more will be sent although the connection stays open. */
  readonly onSilence: () => void
}

/** The changes that a fault makes to an exchange. Absent parts stay unchanged. */
export interface Effect {
  readonly request?: (headers: HeaderFields) => HeaderFields
  readonly ask?: (ask: Ask, method: string) => Ask
  readonly content?: (answer: Answer, context: ExchangeContext) => Answer
  readonly bytes?: (bytes: Bytes, headBytes: number, context: ExchangeContext) => Bytes
}

/** Returns the changes that a fault makes. */
export const effectOf = (fault: Fault): Effect => {
  switch (fault.kind) {
    case 'pass':
      return {}
    case 'drop-request':
      return { ask: () => async () => null }
    case 'lose-answer':
      return { bytes: (bytes) => interruptAt(bytes, 0, () => drain(bytes).then(() => 'reset')) }
    case 'cut-answer':
      return {
        bytes: (bytes, headBytes) => interruptAt(bytes, offset(fault, headBytes), async () => fault.how ?? 'reset'),
      }
    case 'cut-stream':
      return {
        content: (answer) =>
          withContent(
            answer,
            interruptAfterEvents(answer.content, fault.afterEvents, async () => fault.how ?? 'reset'),
          ),
      }
    case 'half-open':
      return 'afterEvents' in fault
        ? {
            content: (answer, context) =>
              withContent(answer, interruptAfterEvents(answer.content, fault.afterEvents, silence(context))),
          }
        : { bytes: (bytes, headBytes, context) => interruptAt(bytes, offset(fault, headBytes), silence(context)) }
    case 'deliver-twice':
      return { ask: fault.how === 'together' ? askTwiceTogether : askTwiceInTurn }
    case 'answer':
      return {
        ask: (ask, method) => async () => {
          if (fault.reachesTarget) await discard(await ask())
          return cannedAnswer(fault, method)
        },
      }
    case 'raw-answer':
      return { ask: () => async () => fault.bytes }
    case 'gzip':
      return {
        request: (headers) => [...withoutFields(headers, 'accept-encoding'), ['accept-encoding', 'identity']],
        content: (answer) => {
          const compressed = withContent(answer, gzipped(answer.content))
          return { ...compressed, headers: [...compressed.headers, ['content-encoding', 'gzip']] }
        },
      }
    case 'chunk':
      return { bytes: (bytes) => split(bytes, 'every' in fault ? [fault.every] : fault.sizes) }
    case 'rewrite-line-endings':
      return { content: (answer) => withContent(answer, rewriteLineEndings(answer.content, fault.to)) }
    case 'delay-answer':
      return { bytes: (bytes, _headBytes, { ended }) => delayed(bytes, fault.until, ended) }
  }
}

const offset = ({ atByte, of }: { atByte: number; of?: AnswerPart }, headBytes: number): number =>
  of === 'body' ? headBytes + atByte : atByte

const silence =
  ({ ended, onSilence }: ExchangeContext) =>
  async (): Promise<Ending> => {
    onSilence()
    await aborted(ended)
    return 'reset'
  }

const askTwiceInTurn =
  (ask: Ask): Ask =>
  async () => {
    await discard(await ask())
    return await ask()
  }

const askTwiceTogether =
  (ask: Ask): Ask =>
  () => {
    // Not awaited, because a stream may never end.
    ask().then(discard, () => {})
    return ask()
  }

const discard = async (answer: Answer | Uint8Array | null): Promise<void> => {
  if (answer !== null && !(answer instanceof Uint8Array)) await drain(answer.content)
}
