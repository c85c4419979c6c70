export type Environment = Readonly<Record<string, string | undefined>>

/** The names of a process's own settings and of those of its clients. */
const OWN_NAME = /^(?:(?:SERVICE_)?GATEWAY_|DATABASE_URL$)/

export const isOwnName = (name: string): boolean => OWN_NAME.test(name)

export interface CleanEnvironment {
  readonly environment: Environment
  /** Variables of Kubernetes that were removed. */
  readonly serviceLinks: readonly string[]
}

/**
 * The environment without additions of platforms. Kubernetes sets variables in every pod for each Service of its
 * namespace. If the name of a Service begins with `gateway`, its variables look like settings. In files with Windows
 * line ends, each value ends with a carriage return.
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

/** The ends of the names of Kubernetes' variables, after the Service's name. */
const LINK_NAME = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
/** The value of `<SERVICE>_PORT`. Settings can have the same name, but not such a value. */
const LINK_VALUE = /^(?:tcp|udp|sctp):\/\//

const isServiceLink = (name: string, value: string): boolean =>
  LINK_NAME.test(name) || (name.endsWith('_PORT') && LINK_VALUE.test(value))
