import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { PACK_DEADLINE_MS, packSdk } from '../../scripts/packed-sdk.ts'
import { SUBPATHS } from './subpaths.ts'

interface Exported {
  readonly name: string
  readonly isValue: boolean
}

let declared: ReadonlyMap<string, readonly Exported[]>
let loaded: Readonly<Record<string, object>>

/** Everything that the declarations of the packed copy export. */
const readDeclarations = async (): Promise<Map<string, readonly Exported[]>> => {
  const { packageFolder } = await packSdk()
  const types = new Map(
    Object.entries(manifest.publishConfig.exports).flatMap(([subpath, target]) =>
      typeof target === 'string' ? [] : [[subpath, target.types] as const],
    ),
  )
  const fileOf = (name: string): string =>
    join(packageFolder, types.get(name.replace('@conversation-gateway/sdk', '.')) ?? 'absent')
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [], skipLibCheck: true }
  const program = ts.createProgram(
    SUBPATHS.map(({ name }) => fileOf(name)),
    options,
  )
  const checker = program.getTypeChecker()
  const exportsOf = (name: string): Exported[] => {
    const source = program.getSourceFile(fileOf(name))
    const symbol = source && checker.getSymbolAtLocation(source)
    if (symbol === undefined) throw new Error(`${name} has no declarations`)
    return checker.getExportsOfModule(symbol).map((each) => {
      const target = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each
      return { name: each.name, isValue: (target.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(each) }
    })
  }
  return new Map(SUBPATHS.map(({ name }) => [name, exportsOf(name)]))
}

const isTypeOnly = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some(
    (each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly),
  ) ?? false

/** The exports that Node finds when it imports the packed copy. */
const loadModules = async (): Promise<Record<string, object>> => {
  const { projectFolder } = await packSdk()
  const entry = join(projectFolder, 'all-subpaths.js')
  await writeFile(
    entry,
    SUBPATHS.map(({ name }, index) => `import * as m${index} from '${name}'\n`).join('') +
      `export const modules = { ${SUBPATHS.map(({ name }, index) => `'${name}': m${index}`).join(', ')} }\n`,
  )
  return (await import(/* @vite-ignore */ pathToFileURL(entry).href)).modules
}

beforeAll(async () => {
  declared = await readDeclarations()
  loaded = await loadModules()
}, PACK_DEADLINE_MS)

describe.each(SUBPATHS)('$name', ({ name }) => {
  it('exports the values that its types declare', () => {
    const promised = declared
      .get(name)
      ?.filter(({ isValue }) => isValue)
      .map((each) => each.name)
    expect(Object.keys(loaded[name] ?? {}).toSorted()).toEqual(promised?.toSorted())
  })
})

it('exports exactly the recorded names', async () => {
  const lines = [...declared].flatMap(([subpath, names]) => [
    subpath,
    ...names.map((each) => `  ${each.isValue ? 'value' : 'type '} ${each.name}`).toSorted(),
  ])
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('public-surface.txt')
})
