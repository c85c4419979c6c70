import type { Step } from '../generated/worker.ts'

/** A request takes no further step once its steps have this many characters. */
export const REQUEST_CHARACTERS = 128 * 1024
const REQUEST_STEPS = 256

/** The steps of a run that are not sent yet. */
export interface StepQueue {
  readonly isEmpty: boolean
  /** The characters of the steps, without escapes. */
  readonly characters: number
  push(step: Step): void
  /** Adds a piece of text. Keeps half of a character until its other half arrives. */
  pushText(delta: string): void
  /** No text follows: adds a kept half of a character. */
  endText(): void
  /** Removes and returns the steps of the next request. They stay unchanged, so that the request can be repeated. */
  takeBatch(): Step[]
}

export const createStepQueue = (): StepQueue => {
  const steps: Step[] = []
  let characters = 0
  /** A high surrogate that waits for its low surrogate. */
  let half = ''

  const push = (step: Step): void => {
    const last = steps.at(-1)
    if (step.delta !== undefined && last?.delta !== undefined && last.delta.length < REQUEST_CHARACTERS)
      steps[steps.length - 1] = { delta: last.delta + step.delta }
    else steps.push(step)
    characters += lengthOf(step)
  }

  return {
    get isEmpty() {
      return steps.length === 0
    },
    get characters() {
      return characters
    },
    push,
    pushText: (delta) => {
      const text = half + delta
      half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ''
      const piece = half === '' ? text : text.slice(0, -1)
      for (let from = 0; from < piece.length; ) {
        const to = endOfPiece(piece, from)
        push({ delta: piece.slice(from, to) })
        from = to
      }
    },
    endText: () => {
      if (half !== '') push({ delta: half.toWellFormed() })
    },
    takeBatch: () => {
      const batch: Step[] = []
      let taken = 0
      while (batch.length < REQUEST_STEPS && taken < REQUEST_CHARACTERS) {
        const step = steps.shift()
        if (step === undefined) break
        batch.push(step)
        taken += lengthOf(step)
        if (step.approval !== undefined) break
      }
      characters -= taken
      return batch
    },
  }
}

/** The length of a step in a request, without escapes. */
const lengthOf = ({ delta, message, approval, activity }: Step): number =>
  (delta ?? message ?? approval ?? JSON.stringify(activity ?? '')).length

/** The end of a piece of text that fits into a request without splitting a character. */
const endOfPiece = (text: string, from: number): number => {
  const to = Math.min(from + REQUEST_CHARACTERS, text.length)
  return to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1)) ? to - 1 : to
}
