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
import { generateReadme } from './readme.ts'
import { generateSdkContract } from './sdk-contract.ts'
import { generateSdkEnums } from './sdk-enums.ts'
import { generateSdkErrors } from './sdk-errors.ts'
import { generateSdkNamespaces } from './sdk-namespaces.ts'
import { generateSdkOperations } from './sdk-operations.ts'
import { generateSdkTypes } from './sdk-types.ts'
import { banner, toJson } from './source-text.ts'
import { generateTypes } from './types.ts'

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
  const files = {
    'openapi/generated/README.md': generateReadme('openapi/generated'),
    'openapi/generated/gateway.json': toJson(gateway),
    'openapi/generated/admin.json': toJson(admin),
    'openapi/generated/worker.json': toJson(worker),
    'openapi/generated/control.json': toJson(control),
    'openapi/generated/bootstrap.schema.json': toJson(generateJsonSchema(bootstrap, 'Bootstrap')),
    'openapi/generated/gateway.ts': await generateTypes(gateway, 'openapi/gateway.yaml'),
    'openapi/generated/admin.ts': await generateTypes(admin, 'openapi/admin.yaml'),
    'openapi/generated/worker.ts': await generateTypes(worker, 'openapi/worker.yaml'),
    // Closed: a gateway sends only what this version defines.
    'openapi/generated/gateway-closed.ts': await generateClosedTypes(gateway, 'openapi/gateway.yaml', './gateway.ts'),
    'openapi/generated/admin-closed.ts': await generateClosedTypes(admin, 'openapi/admin.yaml', './admin.ts'),
    'openapi/generated/worker-closed.ts': await generateClosedTypes(worker, 'openapi/worker.yaml', './worker.ts'),
    'openapi/generated/bootstrap.ts': await generateTypes(closeDocument(bootstrap), 'openapi/bootstrap.schema.yaml'),
    'openapi/generated/operations.ts': generateOperations({
      OPERATIONS: gateway,
      ADMIN_OPERATIONS: admin,
      WORKER_OPERATIONS: worker,
    }),
    'openapi/generated/limits.ts': generateLimits(gateway),
    'openapi/generated/errors.ts': generateErrors(gateway, admin, worker),
    ...(await generateSdk(gateway, admin, worker)),
    // Its types and limits are those of the contract; they are copied in when the package is built.
    'sdk/src/generated/gateway.ts': pointTo('gateway.ts'),
    'sdk/src/generated/admin.ts': pointTo('admin.ts'),
    'sdk/src/generated/worker.ts': pointTo('worker.ts'),
    'sdk/src/generated/limits.ts': pointTo('limits.ts', 'export *'),
  }
  return new Map(Object.entries(files))
}

/** Everything that the client has from the contract; also what a fixture contract is generated with. */
export async function generateSdk(
  gateway: Document,
  admin: Document,
  worker: Document,
): Promise<Record<string, string>> {
  const folder = 'sdk/src/generated'
  return {
    [`${folder}/README.md`]: generateReadme(folder),
    [`${folder}/gateway.ts`]: await generateTypes(gateway, 'openapi/gateway.yaml'),
    [`${folder}/worker.ts`]: await generateTypes(worker, 'openapi/worker.yaml'),
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
    [`${folder}/admin.ts`]: await generateTypes(admin, 'openapi/admin.yaml'),
    [`${folder}/admin-operations.ts`]: generateSdkOperations(admin, 'openapi/admin.yaml', 'ADMIN_OPERATIONS'),
    [`${folder}/admin-namespaces.ts`]: generateSdkNamespaces(admin, {
      source: 'openapi/admin.yaml',
      types: './admin.ts',
      operations: { module: './admin-operations.ts', name: 'ADMIN_OPERATIONS' },
    }),
  }
}

const pointTo = (file: string, form = 'export type *'): string =>
  `${banner(`openapi/generated/${file}`)}
${form} from '../../../openapi/generated/${file}'
`
