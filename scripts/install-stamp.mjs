// Plain JavaScript without dependencies: an older Node with nothing installed has to run it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BY_SIZE } from './dependency-sets.mjs'

/**
 * The record of the last installation into a folder; undefined if there is none.
 * @param {string} root
 * @returns {import('./install-stamp.mjs').Installation | undefined}
 */
export function readStamp(root) {
  const file = fileIn(root)
  if (!existsSync(file)) return undefined
  const [hash = '', ...words] = readFileSync(file, 'utf8').split(' ')
  // Earlier versions wrote the hash alone, and installed everything.
  return { hash, set: BY_SIZE.find((set) => set === words.join(' ')) ?? 'everything' }
}

/**
 * @param {string} root
 * @param {import('./install-stamp.mjs').Installation} installation
 */
export function writeStamp(root, { hash, set }) {
  writeFileSync(fileIn(root), `${hash} ${set}`)
}

/** @param {string} root */
function fileIn(root) {
  return join(root, 'node_modules', '.install-stamp')
}
