/** First line of every generated TypeScript file. */
export const banner = (source: string): string => `// Generated from ${source} by \`pnpm generate\`. Do not edit.\n`

/** A value as TypeScript source: as JSON, but with bare keys and with lists of scalars on one line. */
export const toSource = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_list, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`)
