/** Members that are only for the development of the package. */
const WORKSPACE_ONLY = new Set(['private', 'scripts', 'devDependencies', 'publishConfig'])

/**
 * The `package.json` of the tarball. As in `pnpm pack`, members of `publishConfig` replace the members of the same
 * name.
 */
export const createPackedManifest = (manifest: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(manifest).filter(([name]) => !WORKSPACE_ONLY.has(name))),
  ...(isObject(manifest.publishConfig) ? manifest.publishConfig : {}),
})

/** The name that npm gives to the tarball of a package. */
export const tarballName = ({ name, version }: Readonly<Record<string, unknown>>): string =>
  `${String(name).replace('@', '').replace('/', '-')}-${version}.tgz`

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
