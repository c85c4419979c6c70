/** The operators' default address. */
export const OPERATOR_HOST = '127.0.0.1'

/** The origin of a server that listens at this host and port. */
export const originOf = (hasTls: boolean, host: string, port: number | string): string =>
  `${hasTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
