/** Where operators are answered unless another address is set. */
export const OPERATOR_HOST = '127.0.0.1'

/** What comes before the path in the URLs of a server that listens there. */
export const originOf = (hasTls: boolean, host: string, port: number | string): string =>
  `${hasTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
