import { fileURLToPath } from 'node:url'
import { bundleDocument, bundleSchema } from '../bundle.ts'
import { closeDocument } from '../close.ts'
import { generateErrors } from './errors.ts'
import { generateEvents } from './events.ts'
import { generateJsonSchema } from './json-schema.ts'
import { generateOperations } from './operations.ts'
import { generateReadme } from './readme.ts'
import { generateTypes } from './types.ts'

const contract = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** Every generated file of the workspace: its path from the root, and its text. */
export async function generateAll(): Promise<Map<string, string>> {
  const [gateway, admin, bootstrap] = await Promise.all([
    bundleDocument(contract('gateway.yaml')),
    bundleDocument(contract('admin.yaml')),
    bundleSchema(contract('bootstrap.schema.yaml'), 'Bootstrap'),
  ])
  const files = {
    'openapi/generated/README.md': generateReadme('openapi/generated'),
    'openapi/generated/gateway.json': toJson(gateway),
    'openapi/generated/admin.json': toJson(admin),
    'openapi/generated/bootstrap.schema.json': toJson(generateJsonSchema(bootstrap, 'Bootstrap')),
    // The gateway's own types are closed: it sends only what this version defines.
    'server/src/generated/README.md': generateReadme('server/src/generated'),
    'server/src/generated/gateway.ts': await generateTypes(closeDocument(gateway), 'openapi/gateway.yaml'),
    'server/src/generated/admin.ts': await generateTypes(closeDocument(admin), 'openapi/admin.yaml'),
    'server/src/generated/bootstrap.ts': await generateTypes(closeDocument(bootstrap), 'openapi/bootstrap.schema.yaml'),
    'server/src/generated/operations.ts': generateOperations({ OPERATIONS: gateway, ADMIN_OPERATIONS: admin }),
    'server/src/generated/errors.ts': generateErrors(gateway, admin),
    'sdk/src/generated/README.md': generateReadme('sdk/src/generated'),
    'sdk/src/generated/gateway.ts': await generateTypes(gateway, 'openapi/gateway.yaml'),
    'sdk/src/generated/operations.ts': generateOperations({ OPERATIONS: gateway }),
    'sdk/src/generated/errors.ts': generateErrors(gateway),
    'sdk/src/generated/events.ts': generateEvents(gateway),
  }
  return new Map(Object.entries(files))
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
