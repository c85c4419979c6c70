/**
 * An object of a request that is kept as the text in which it was sent, and given back so: not parsed, so that no member
 * changes its place, and not written anew. Its text is valid JSON whose strings and numbers can be stored.
 */
export class JsonText {
  readonly text: string
  /** Objects and lists within each other, this one included. */
  readonly depth: number
  readonly isEmpty: boolean

  constructor(text: string, depth: number, isEmpty: boolean) {
    this.text = text
    this.depth = depth
    this.isEmpty = isEmpty
  }
}
