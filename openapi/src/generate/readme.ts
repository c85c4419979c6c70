/** The README of each generated folder. */
export const generateReadme = (folder: string): string => `# Generated

Nothing in \`${folder}\` is written by hand. The source is \`openapi/*.yaml\` with the files they refer to; the
generators are in \`openapi/src/generate/\`. \`pnpm generate\` writes this folder, \`pnpm generate --check\` fails when it is stale.
`
