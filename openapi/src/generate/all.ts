import { fileURLToPath } from 'node:url'
import { bundleDocument, bundleSchema } from '../document/bundle.ts'
import { closeDocument } from '../document/close.ts'
import type { Document } from '../document/document.ts'
import { generateClosedTypes } from './closed-types.ts'
import { generateErrors } from './errors.ts'
import { generateEvents } from './events.ts'
import { generateJsonSchema } from './json-schema.ts'
import { generateLimits } from './limits.ts'
import { generateOperations } from './operations.ts'
import { generateSdkContract } from './sdk-contract.ts'
import { generateSdkEnums } from './sdk-enums.ts'
import { generateSdkErrors } from './sdk-errors.ts'
import { generateSdkNamespaces } from './sdk-namespaces.ts'
import { generateSdkOperations } from './sdk-operations.ts'
import { generateSdkTypes } from './sdk-types.ts'
import { banner, toJson } from './source-text.ts'
import { createTypes, printTypes, type Types } from './types.ts'

const contract = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** Every generated file of the workspace: its path from the root, and its text. */
export async function generateAll(): Promise<Map<string, string>> {
  const [gateway, admin, worker, control, bootstrap] = await Promise.all([
    bundleDocument(contract('gateway.yaml')),
    bundleDocument(contract('admin.yaml')),
    bundleDocument(contract('worker.yaml')),
    bundleDocument(contract('control.yaml')),
    bundleSchema(contract('bootstrap.schema.yaml'), 'Bootstrap'),
  ])
  const types = {
    ...(await createContractTypes(gateway, admin, worker)),
    bootstrap: await createTypes(closeDocument(bootstrap), './bootstrap.ts'),
  }
  const files = {
    'openapi/generated/README.md': generateReadme('openapi/generated'),
    'openapi/generated/gateway.json': toJson(gateway),
    'openapi/generated/admin.json': toJson(admin),
    'openapi/generated/worker.json': toJson(worker),
    'openapi/generated/control.json': toJson(control),
    'openapi/generated/bootstrap.schema.json': toJson(generateJsonSchema(bootstrap, 'Bootstrap')),
    'openapi/generated/gateway.ts': printTypes(types.gateway, 'openapi/gateway.yaml'),
    'openapi/generated/admin.ts': printTypes(types.admin, 'openapi/admin.yaml', [types.gateway]),
    'openapi/generated/worker.ts': printTypes(types.worker, 'openapi/worker.yaml', [types.gateway]),
    // Closed: a gateway sends only what this version defines.
    'openapi/generated/gateway-closed.ts': await generateClosedTypes(types.gateway, gateway, 'openapi/gateway.yaml'),
    'openapi/generated/admin-closed.ts': await generateClosedTypes(types.admin, admin, 'openapi/admin.yaml'),
    'openapi/generated/worker-closed.ts': await generateClosedTypes(types.worker, worker, 'openapi/worker.yaml'),
    'openapi/generated/bootstrap.ts': printTypes(types.bootstrap, 'openapi/bootstrap.schema.yaml', [types.admin]),
    'openapi/generated/operations.ts': generateOperations({
      OPERATIONS: gateway,
      ADMIN_OPERATIONS: admin,
      WORKER_OPERATIONS: worker,
    }),
    'openapi/generated/limits.ts': generateLimits(gateway),
    'openapi/generated/errors.ts': generateErrors(gateway, admin, worker),
    ...(await generateSdk(gateway, admin, worker)),
    // The types and limits of the contract, which the build of the package copies.
    'sdk/src/generated/gateway.ts': pointTo('gateway.ts'),
    'sdk/src/generated/admin.ts': pointTo('admin.ts'),
    'sdk/src/generated/worker.ts': pointTo('worker.ts'),
    'sdk/src/generated/limits.ts': pointTo('limits.ts', 'export *'),
  }
  return new Map(Object.entries(files))
}

/** The generated files of the client. Tests also call it with a fixture contract. */
export async function generateSdk(
  gateway: Document,
  admin: Document,
  worker: Document,
): Promise<Record<string, string>> {
  const folder = 'sdk/src/generated'
  const types = await createContractTypes(gateway, admin, worker)
  return {
    [`${folder}/README.md`]: generateReadme(folder),
    [`${folder}/gateway.ts`]: printTypes(types.gateway, 'openapi/gateway.yaml'),
    [`${folder}/worker.ts`]: printTypes(types.worker, 'openapi/worker.yaml', [types.gateway]),
    [`${folder}/types.ts`]: generateSdkTypes(gateway),
    [`${folder}/operations.ts`]: generateSdkOperations(gateway, 'openapi/gateway.yaml', 'OPERATIONS'),
    [`${folder}/namespaces.ts`]: generateSdkNamespaces(gateway, {
      source: 'openapi/gateway.yaml',
      types: './gateway.ts',
      operations: { module: './operations.ts', name: 'OPERATIONS' },
    }),
    [`${folder}/errors.ts`]: generateSdkErrors(gateway, admin, worker),
    [`${folder}/events.ts`]: generateEvents(gateway),
    [`${folder}/enums.ts`]: generateSdkEnums(gateway),
    [`${folder}/contract.ts`]: generateSdkContract(gateway, [admin, worker]),
    [`${folder}/admin.ts`]: printTypes(types.admin, 'openapi/admin.yaml', [types.gateway]),
    [`${folder}/admin-operations.ts`]: generateSdkOperations(admin, 'openapi/admin.yaml', 'ADMIN_OPERATIONS'),
    [`${folder}/admin-namespaces.ts`]: generateSdkNamespaces(admin, {
      source: 'openapi/admin.yaml',
      types: './admin.ts',
      operations: { module: './admin-operations.ts', name: 'ADMIN_OPERATIONS' },
    }),
  }
}

const createContractTypes = async (
  gateway: Document,
  admin: Document,
  worker: Document,
): Promise<Record<'gateway' | 'admin' | 'worker', Types>> => ({
  gateway: await createTypes(gateway, './gateway.ts'),
  admin: await createTypes(admin, './admin.ts'),
  worker: await createTypes(worker, './worker.ts'),
})

const generateReadme = (folder: string): string => `# Generated

Nothing in \`${folder}\` is written by hand. The source is \`openapi/*.yaml\` with the files they refer to; the
generators are in \`openapi/src/generate/\`. \`npm run generate\` writes this folder, \`npm run generate -- --check\` fails when it is stale.
`

const pointTo = (file: string, form = 'export type *'): string =>
  `${banner(`openapi/generated/${file}`)}
${form} from '../../../openapi/generated/${file}'
`
