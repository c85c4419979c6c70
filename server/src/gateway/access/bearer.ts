/** One bearer token of visible characters. Repeated headers are joined by a comma and a space, so they do not match. */
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i

/** The token of an `Authorization` header; undefined if there is no header, or it has another form. */
export const readBearer = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
