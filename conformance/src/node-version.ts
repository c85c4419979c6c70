/** The oldest supported Node.js, as in `engines` of the package. */
const OLDEST: readonly [major: number, minor: number] = [22, 18]

/** The error message for an unsupported version of Node.js; undefined if it is supported. */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  if (isSupported) return undefined
  return `gateway-conformance needs Node.js ${OLDEST.join('.')} or later, and this is ${version}.`
}
