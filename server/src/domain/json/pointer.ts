/** Longest pointer of a fault; a longer one is cut back to the nearest ancestor that fits. */
const MAX_POINTER_LENGTH = 1024

/** The JSON pointer (RFC 6901) to where these member names and indexes lead, such that it can be sent. */
export const pointerTo = (segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${escapeSegment(String(segment).toWellFormed())}`).join('')

/** A member name as a segment of a pointer. */
export const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The pointer, or where it is too long to be sent back, that of the nearest ancestor that is not. */
export const fitPointer = (pointer: string): string =>
  pointer.length <= MAX_POINTER_LENGTH ? pointer : pointer.slice(0, pointer.lastIndexOf('/', MAX_POINTER_LENGTH))
