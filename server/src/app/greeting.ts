import { join } from 'node:path'
import type { Demo } from './demo/demo.ts'
import { demoInstructions } from './demo/demo-instructions.ts'
import type { Addresses } from './listen.ts'
import { STORES } from './observe/observe-gateway.ts'
import { PROGRAM } from './program.ts'
import type { Config } from './settings/config.ts'

/** The text for a person who starts a gateway. It may contain the demo's key, so never log it. */
export const greeting = (
  { baseUrl, operatorUrl }: Addresses,
  { adminToken, databaseUrl, dataDir }: Config,
  demo: Demo | null,
  hasDemoPage: boolean,
): string => {
  const isEmbedded = databaseUrl === undefined
  const { durability } = STORES[isEmbedded ? 'embedded' : 'postgres']
  const where = isEmbedded ? `the embedded database in ${dataDir}` : 'PostgreSQL'
  const token = adminToken === undefined && isEmbedded ? `\nAdmin token: in ${join(dataDir, 'admin-token')}` : ''
  const operator = operatorUrl === null ? '' : `\nAdmin API and /metrics: ${operatorUrl}`
  const hasOperator = adminToken !== undefined || isEmbedded
  const console = hasOperator ? `\nConsole: ${operatorUrl ?? baseUrl}/console` : ''
  return `
Conversation Gateway on ${baseUrl}, with ${where}.
${hasDemoPage ? `Try it: ${baseUrl}/demo\n` : ''}${durability}
Reference: ${baseUrl}/docs   Settings: ${PROGRAM} --help   End: Ctrl-C${operator}${console}${token}
${demo === null ? '' : `\n${demoInstructions(demo, baseUrl)}`}
`
}
