/** The oldest Node.js that has what the suite uses, as `engines` of its package says. */
const OLDEST: readonly [major: number, minor: number] = [22, 18]

/** Why this version of Node.js cannot run the suite, and what to do; nothing where it can. */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  if (isSupported) return undefined
  return `gateway-conformance needs Node.js ${OLDEST.join('.')} or later, and this is ${version}.`
}
