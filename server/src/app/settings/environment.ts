export type Environment = Readonly<Record<string, string | undefined>>

/** The names of a process's own settings and of those of its clients. */
const OWN_NAME = /^(?:(?:SERVICE_)?GATEWAY_|DATABASE_URL$)/

export const isOwnName = (name: string): boolean => OWN_NAME.test(name)

export interface CleanEnvironment {
  readonly environment: Environment
  /** Variables of Kubernetes that were left out. */
  readonly serviceLinks: readonly string[]
}

/**
 * The environment without what platforms add to it. Kubernetes gives every pod variables for each Service of its
 * namespace: those of one whose name begins with `gateway` look like settings. Files with Windows line ends leave a
 * carriage return behind each value.
 */
export const cleanEnvironment = (given: Environment): CleanEnvironment => {
  const environment: Record<string, string | undefined> = {}
  const serviceLinks: string[] = []
  for (const [name, value] of Object.entries(given)) {
    if (!isOwnName(name)) environment[name] = value
    else if (isServiceLink(name, value ?? '')) serviceLinks.push(name)
    else environment[name] = value?.trim()
  }
  return { environment, serviceLinks: serviceLinks.sort() }
}

/** What Kubernetes calls its variables, behind the Service's name. */
const LINK_NAME = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
/** The value of `<SERVICE>_PORT`, a name that settings have too. */
const LINK_VALUE = /^(?:tcp|udp|sctp):\/\//

const isServiceLink = (name: string, value: string): boolean =>
  LINK_NAME.test(name) || (name.endsWith('_PORT') && LINK_VALUE.test(value))
