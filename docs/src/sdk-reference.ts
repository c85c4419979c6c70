import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Application, Converter, OptionDefaults, type ProjectReflection, ReflectionKind } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { isTypeNode, isTypeReferenceNode } from 'typescript'
import manifest from '../../sdk/package.json' with { type: 'json' }
import { ADMIN, GATEWAY, objectAddress } from './contract.ts'
import { DOCS, REPOSITORY, UNFINISHED } from './folders.ts'
import { addEntryPoints, isWiring } from './sdk-entry-points.ts'
import { listFiles } from './write-pages.ts'

const SDK = join(REPOSITORY, 'sdk')

/** The classes of the clients' namespaces. Programs call their methods but do not import them. */
const METHODS: ReadonlyMap<string, string> = new Map([
  [join(DOCS, 'src/sdk-methods/client.ts'), 'sdk/client methods'],
  [join(DOCS, 'src/sdk-methods/admin-client.ts'), 'sdk/admin/client methods'],
])

export interface SdkReference {
  /** Markdown by path below `reference/sdk`. */
  readonly pages: ReadonlyMap<string, string>
  /** In the format of VitePress. */
  readonly sidebar: unknown
}

/**
 * Generates the reference of every subpath of the SDK from its docstrings. Call it under the build lock.
 * @throws {Error} if TypeDoc reports a warning.
 */
export const sdkReference = async (): Promise<SdkReference> => {
  const folder = UNFINISHED.sdkReference
  await rm(folder, { recursive: true, force: true })
  try {
    const app = await createApplication(folder)
    const project = await app.convert()
    if (project === undefined) throw new Error('TypeDoc could not read the SDK; its messages are above.')
    app.validate(project)
    await app.generateOutputs(project)
    const { errorCount, warningCount } = app.logger
    if (errorCount + warningCount > 0)
      throw new Error(`TypeDoc found ${errorCount + warningCount} faults in the docstrings of the SDK; they are above.`)
    return await readOutput(join(folder, 'reference'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The entry points of TypeDoc, each with the name under which programs import it. */
const entryPoints = (): Map<string, string> => {
  const subpaths = Object.entries(manifest.exports).filter(([, file]) => file.endsWith('.ts'))
  return new Map([
    ...subpaths.map(([subpath, file]): [string, string] => [join(SDK, file), `sdk${subpath.slice(1)}`]),
    ...METHODS,
  ])
}

const createApplication = async (folder: string): Promise<Application> => {
  const modules = entryPoints()
  const options: Partial<PluginOptions> = {
    hidePageHeader: true,
    hideBreadcrumbs: true,
    hideGroupHeadings: false,
    useCodeBlocks: true,
    expandObjects: false,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'list',
    entryFileName: 'index',
    membersWithOwnFile: ['Class', 'Interface', 'Function', 'Variable', 'TypeAlias'],
  }
  const app = await Application.bootstrapWithPlugins({
    name: 'SDK',
    entryPoints: [...modules.keys()],
    tsconfig: join(DOCS, 'tsconfig.typedoc.json'),
    // `npm run check` checks the types.
    skipErrorChecking: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    readme: 'none',
    logLevel: 'Warn',
    blockTags: [...OptionDefaults.blockTags, '@description', '@constant', '@enum'],

    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    docsRoot: folder,
    out: join(folder, 'reference'),
    ...options,
  } as Parameters<typeof Application.bootstrapWithPlugins>[0])
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName
    const name = file === undefined ? undefined : modules.get(file)
    if (reflection.kindOf(ReflectionKind.Module) && name !== undefined) reflection.name = name
  })
  keepNames(app.converter)
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => removeWiring(project))
  return app
}

/** Shows types as the source writes them: TypeScript resolves the names of types that come from the contract. */
const keepNames = (converter: Converter): void => {
  converter.on(Converter.EVENT_CREATE_SIGNATURE, (context, signature, declaration) => {
    const answer = declaration?.type
    if (answer !== undefined && isTypeNode(answer)) signature.type = converter.convertType(context, answer)
    const types = (declaration?.parameters ?? []).map((parameter) => ('type' in parameter ? parameter.type : undefined))
    signature.parameters?.forEach((parameter, index) => {
      const type = types[index]
      // Keep types with arguments resolved: the members tell a reader more than the name of a helper type.
      if (type !== undefined && isTypeReferenceNode(type) && type.typeArguments === undefined)
        parameter.type = converter.convertType(context, type)
    })
  })
}

/** Removes internals that programs do not name: the parts that create the clients, and the table of operation types. */
const removeWiring = (project: ProjectReflection): void => {
  for (const module of project.children ?? [])
    for (const child of [...(module.children ?? [])]) {
      const isMethods = METHOD_MODULES.has(module.name)
      if (child.name === 'operations' || (isMethods && WIRING.has(child.name))) project.removeReflection(child)
      for (const member of [...(child.children ?? [])])
        if (isMethods && member.kindOf(ReflectionKind.Constructor)) project.removeReflection(member)
    }
}

const METHOD_MODULES = new Set(METHODS.values())
const WIRING = new Set(['createNamespaces', 'Namespaces'])

const SIDEBAR_FILE = 'typedoc-sidebar.json'

const readOutput = async (folder: string): Promise<SdkReference> => {
  const pages = new Map<string, string>()
  for (const path of await listFiles(folder)) {
    if (!path.startsWith('sdk/')) continue
    const text = await readFile(join(folder, path), 'utf8')
    pages.set(path, linkObjects(path, text))
  }
  const sidebar: SidebarItem[] = JSON.parse(await readFile(join(folder, SIDEBAR_FILE), 'utf8'))
  return { pages: addEntryPoints(pages), sidebar: withoutPages(sidebar) }
}

interface SidebarItem {
  readonly link?: string
  readonly items?: readonly SidebarItem[]
}

const withoutPages = (items: readonly SidebarItem[]): SidebarItem[] =>
  items
    .filter(({ link }) => link === undefined || !isWiring(link))
    .map((item) => (item.items === undefined ? item : { ...item, items: withoutPages(item.items) }))

/** Adds to each type that only names a schema a link to the page of that schema. */
const linkObjects = (path: string, text: string): string => {
  const contract = path.startsWith('sdk/admin/') ? ADMIN : GATEWAY
  return text.replaceAll(
    /= components\["schemas"\]\["(\w+)"\];\n```\n/g,
    (code, name: string) => `${code}\nIts members, with their meaning: [${name}](${objectAddress(contract, name)}).\n`,
  )
}
