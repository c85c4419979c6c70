/** Where a reader of a stream is. */
export interface Place {
  position: number | null
}
