import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CheckInfo, listAllChecks } from '@conversation-gateway/conformance/checks'
import { parse } from 'yaml'
import { REPOSITORY } from './folders.ts'

/** A check of the conformance suite. */
export type Check = Pick<CheckInfo, 'id' | 'title' | 'rules' | 'target'>

/** An implementation with a deliberate fault, and the checks that detect it. */
export interface Mutant {
  readonly target: string
  readonly name: string
  readonly rule: string
  /** Further rules that the fault breaks. */
  readonly also: readonly string[]
  readonly fault: string
  readonly caughtBy: readonly string[]
}

export interface Proofs {
  readonly checks: readonly Check[]
  readonly mutants: readonly Mutant[]
  /** Why neither a check nor a test proves a rule, by rule. */
  readonly reasons: ReadonlyMap<string, string>
}

/** The results of the mutants, written by `npm run mutants -- --write`. */
const TABLE = join(REPOSITORY, 'conformance/broken/table.json')
const UNPROVEN_RULES = join(REPOSITORY, 'conformance/unproven-rules.yaml')

/** The proofs of each rule. @throws {Error} if the table of mutants has an unexpected format. */
export const readProofs = async (): Promise<Proofs> => ({
  checks: await listAllChecks(),
  mutants: parseTable(JSON.parse(await readFile(TABLE, 'utf8'))),
  reasons: new Map(
    parse(await readFile(UNPROVEN_RULES, 'utf8')).map(({ rule, reason }: { rule: string; reason: string }) => [
      rule,
      reason,
    ]),
  ),
})

const parseTable = (table: unknown): Mutant[] => {
  if (!Array.isArray(table)) throw new Error(`${TABLE} is not a list`)
  return table.map((row: unknown, index) => {
    const { target, name, rule, also = [], fault, caughtBy } = Object(row)
    if (![target, name, rule, fault].every(isText) || ![also, caughtBy].every(isTexts))
      throw new Error(
        `${TABLE}[${index}] must have target, name, rule and fault as texts, and also and caughtBy as lists of texts`,
      )
    return { target, name, rule, also, fault, caughtBy }
  })
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
