import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import type { Citation } from './coverage.ts'

const CITATION = /\[([A-Z]{2,}-\d+(?:\s*,\s*[A-Z]{2,}-\d+)*)\]/g
const TEST_FUNCTIONS = new Set(['describe', 'suite', 'it', 'test', 'bench'])
const SWITCHED_OFF = new Set(['skip', 'todo'])

/** Collects the citations of every `*.test.ts` below `root`, in the order of file and line. */
export async function findCitations(root: string): Promise<Citation[]> {
  const files: string[] = []
  for await (const file of glob('**/*.test.ts', { cwd: root, exclude: isForeign })) files.push(file)
  const found = await Promise.all(
    files.sort().map(async (file) => readCitations(file, await readFile(join(root, file), 'utf8'))),
  )
  return found.flat()
}

/**
 * Reads citations like `[IDEM-03]` or `[IDEM-03, MSG-07]` from the string literals of a test file: names given to
 * `it` and `describe`, and names in the tables that tests are made from. Comments do not count, and neither does what
 * stands inside a test or group that is switched off by `.skip` or `.todo`.
 */
export function readCitations(file: string, source: string): Citation[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest)
  const citations: Citation[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isSwitchedOff(node.expression)) return
    if (isText(node)) {
      for (const [, list = ''] of node.text.matchAll(CITATION)) {
        const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
        citations.push(...list.split(',').map((rule) => ({ rule: rule.trim(), file, line })))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return citations
}

const isForeign = (path: string): boolean =>
  path.split(/[\\/]/).some((part) => part === 'node_modules' || part === 'dist')

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)

/** Recognises `it.skip`, `describe.skip.each(rows)`, `test.each(rows).todo` and the like. */
function isSwitchedOff(callee: ts.Expression): boolean {
  const names: string[] = []
  let at = callee
  while (!ts.isIdentifier(at)) {
    if (ts.isPropertyAccessExpression(at)) {
      names.push(at.name.text)
      at = at.expression
    } else if (ts.isCallExpression(at)) at = at.expression
    else if (ts.isTaggedTemplateExpression(at)) at = at.tag
    else return false
  }
  return TEST_FUNCTIONS.has(at.text) && names.some((name) => SWITCHED_OFF.has(name))
}
