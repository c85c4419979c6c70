/**
 * An object of a request that is stored and returned as the exact text that was sent. It is not parsed and serialised,
 * so that its members keep their order. Its text is valid JSON whose strings and numbers can be stored.
 */
export class JsonText {
  readonly text: string
  /** The nesting depth, this object included. */
  readonly depth: number
  readonly isEmpty: boolean

  constructor(text: string, depth: number, isEmpty: boolean) {
    this.text = text
    this.depth = depth
    this.isEmpty = isEmpty
  }
}
