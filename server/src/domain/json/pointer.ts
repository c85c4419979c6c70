/** Maximum length of a fault's pointer; a longer one is shortened to the nearest ancestor that fits. */
const MAX_POINTER_LENGTH = 1024

/** The JSON pointer (RFC 6901) for these member names and indexes, with each lone surrogate replaced. */
export const pointerTo = (segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${escapeSegment(String(segment).toWellFormed())}`).join('')

/** A member name as a segment of a pointer. */
export const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The pointer, or the nearest ancestor's pointer that fits. */
export const fitPointer = (pointer: string): string =>
  pointer.length <= MAX_POINTER_LENGTH ? pointer : pointer.slice(0, pointer.lastIndexOf('/', MAX_POINTER_LENGTH))
