import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The file of a module beside the one whose `import.meta.url` is given: TypeScript in the workspace, JavaScript in the
 * package.
 */
export const siblingModule = (of: string, name: string): string => fileURLToPath(new URL(`./${name}${extname(of)}`, of))
