/** The README of each generated folder. */
export const generateReadme = (folder: string): string => `# Generated

Nothing in \`${folder}\` is written by hand. The source is \`openapi/*.yaml\` with the files they refer to; the
generators are in \`openapi/src/generate/\`. \`npm run generate\` writes this folder, \`npm run generate -- --check\` fails when it is stale.
`
