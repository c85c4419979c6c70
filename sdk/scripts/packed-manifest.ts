/** Members that are for the work on the package, not for those who install it. */
const WORKSPACE_ONLY = new Set(['private', 'scripts', 'devDependencies', 'publishConfig'])

/** The `package.json` of the tarball: as `pnpm pack` does it, `publishConfig` takes the place of what has its name. */
export const createPackedManifest = (manifest: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(manifest).filter(([name]) => !WORKSPACE_ONLY.has(name))),
  ...(isObject(manifest.publishConfig) ? manifest.publishConfig : {}),
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
