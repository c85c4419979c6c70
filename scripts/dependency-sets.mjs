// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.

/** The programs that serve or operate the gateway. Every other command needs all dependencies. */
const SERVING_PROGRAMS = ['scripts/start.ts', 'server/src/main.ts']

/** The workspace packages whose production dependencies serve the gateway and its demo page, and pack the SDK. */
const SERVING_PACKAGES = [
  'conversation-gateway',
  '@conversation-gateway/server...',
  '@conversation-gateway/examples...',
]

// The lockfile has the hash of every package. A full installation, as in CI, also checks all versions against pnpm's
// supply-chain policies, for which it asks the registry about hundreds of packages that serving does not need.
const SERVING = ['--prod', '--trust-lockfile', ...SERVING_PACKAGES.flatMap((name) => ['--filter-prod', name])]

/**
 * The options by which pnpm installs each set. A set contains those before it.
 * @type {Readonly<Record<import('./dependency-sets.mjs').DependencySet, readonly string[]>>}
 */
const OPTIONS = {
  serving: [...SERVING, '--no-optional'],
  'serving with Node': SERVING,
  everything: [],
}

/** @type {readonly import('./dependency-sets.mjs').DependencySet[]} */
export const BY_SIZE = ['serving', 'serving with Node', 'everything']

/**
 * The dependencies that a command needs. They include Node if the pinned one was chosen for the command.
 * @param {readonly string[]} command
 * @param {'present' | 'pinned'} node
 * @returns {import('./dependency-sets.mjs').DependencySet}
 */
export function chooseSet([program, script = ''], node) {
  if (program !== 'node' || !SERVING_PROGRAMS.includes(script)) return 'everything'
  return node === 'pinned' ? 'serving with Node' : 'serving'
}

/**
 * Whether a set contains another one.
 * @param {import('./dependency-sets.mjs').DependencySet} set
 * @param {import('./dependency-sets.mjs').DependencySet} other
 */
export function contains(set, other) {
  return BY_SIZE.indexOf(set) >= BY_SIZE.indexOf(other)
}

/**
 * The arguments of the pnpm that installs a set.
 * @param {import('./dependency-sets.mjs').DependencySet} set
 */
export function installArguments(set) {
  return ['install', '--frozen-lockfile', ...OPTIONS[set]]
}
