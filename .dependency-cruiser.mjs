// The import rules of this repository: packages import each other in one direction only, and inside the server each
// layer imports only the layers below it.

/** The top layer first. A layer may import itself and the layers after it. */
const LAYERS = [
  ['http'],
  ['assistants', 'delivery', 'devices', 'maintenance'],
  ['gateway'],
  ['writer'],
  ['store'],
  ['runtime'],
  ['domain'],
]

/** The layers of the suite: commands run checks, and checks use the kit. */
const SUITE_LAYERS = ['commands', 'run', 'report', 'checks', 'kit']

const suiteLayerRules = SUITE_LAYERS.slice(1).map((name, index) => ({
  name: `suite-layer-${name}`,
  comment: `${name}/ may not import a layer above it, nor the files directly in src/`,
  severity: 'error',
  from: { path: `^conformance/src/${name}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^conformance/src/((${SUITE_LAYERS.slice(0, index + 1).join('|')})/|[^/]+$)` },
}))

/** The layers of the SDK. The files directly in src/ are below all of them. */
const SDK_LAYERS = ['client', 'events', 'outbox', 'transport']

const sdkLayer = (names) => `^sdk/src/(${names.join('|')})/`
const sdkLayerRules = SDK_LAYERS.map((name, index) => ({
  name: `sdk-layer-${name}`,
  comment: `${name}/ may not import a layer above it, nor a subpath that is built on the client`,
  severity: 'error',
  from: { path: sdkLayer([name]), pathNot: '\\.test\\.ts$' },
  to: {
    path: [
      ...(index === 0 ? [] : [sdkLayer(SDK_LAYERS.slice(0, index))]),
      '^sdk/src/(admin|ai-sdk|callbacks|opentelemetry|testing|webhooks|worker)/',
    ],
  },
}))

/** The files that assemble the process. No layer imports them. */
const APP = '^server/src/(app/|main\\.ts$)'

const layer = (names) => `^server/src/(${names.join('|')})/`
const layerRules = LAYERS.slice(1).map((names, index) => ({
  name: `server-layer-${names.join('-')}`,
  comment: `${names.join(', ')} may not import a layer above`,
  severity: 'error',
  from: { path: layer(names), pathNot: '\\.test\\.ts$' },
  to: { path: [layer(LAYERS.slice(0, index + 1).flat()), APP] },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    ...suiteLayerRules,
    ...sdkLayerRules,
    {
      name: 'sdk-basics',
      comment:
        'all folders of the SDK use the files directly in src/, which import none of them; only index.ts does, to export them',
      severity: 'error',
      from: { path: '^sdk/src/[^/]+$', pathNot: ['^sdk/src/index\\.ts$', '\\.test(-d)?\\.ts$'] },
      to: { path: '^sdk/src/[^/]+/', pathNot: '^sdk/src/generated/' },
    },
    {
      name: 'server-top-is-not-imported',
      comment: 'no layer imports main.ts or app/',
      severity: 'error',
      from: { path: layer(LAYERS[0]) },
      to: { path: APP },
    },
    {
      name: 'only-main-beside-the-folders-of-the-server',
      comment: 'server/src contains main.ts and folders, and no other file',
      severity: 'error',
      from: { path: '^server/src/[^/]+$', pathNot: '^server/src/main\\.ts$' },
      to: {},
    },
    {
      name: 'domain-is-pure',
      comment: 'domain/ does no I/O; crypto is the only module of Node that it may import',
      severity: 'error',
      from: { path: '^server/src/domain/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'behaviour-is-pure',
      comment: 'the rules of a conversation do no I/O and run anywhere; they import the contract only',
      severity: 'error',
      from: { path: '^openapi/src/behaviour/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^openapi/(src/behaviour|generated)/' },
    },
    {
      name: 'the-suite-imports-no-behaviour',
      comment: 'the suite has its own expectations of a gateway, because a shared mistake would go unnoticed',
      severity: 'error',
      from: { path: '^conformance/' },
      to: { path: '^openapi/src/behaviour/' },
    },
    {
      name: 'only-store-speaks-to-the-database',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/store/' },
      to: { path: ['node_modules/pg/', 'node_modules/@electric-sql/pglite/', 'node_modules/@types/pg/'] },
    },
    {
      name: 'only-http-speaks-fastify',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/http/' },
      to: { path: ['node_modules/fastify/', 'node_modules/@fastify/'] },
    },
    {
      name: 'the-admin-cli-is-a-client',
      comment: 'admin-cli/ is made from the contract, and calls the gateway over HTTP only',
      severity: 'error',
      from: { path: '^server/src/admin-cli/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^server/src/',
        pathNot:
          '^server/src/(admin-cli/|app/(origin|program|settings/(closest-name|environment|setting-values))\\.ts$|runtime/version\\.ts$)',
      },
    },
    {
      name: 'only-main-runs-the-admin-cli',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/(admin-cli/|main\\.ts)' },
      to: { path: '^server/src/admin-cli/' },
    },
    {
      name: 'no-package-imports-the-server',
      comment:
        'except the settings and the demo, which the documentation describes, the build of the console, and the databases of the tests',
      severity: 'error',
      from: { path: '^(openapi|sdk|conformance|docs)/' },
      to: {
        path: '^server/',
        pathNot: [
          '^server/src/app/settings/config\\.ts$',
          '^server/console/build\\.ts$',
          '^server/src/gateway/bootstrap/demo\\.ts$',
          '^server/test/support/databases/postgres\\.ts$',
        ],
      },
    },
    {
      name: 'only-the-documentation-reads-the-settings',
      severity: 'error',
      from: { path: '^(openapi|sdk|conformance)/' },
      to: { path: '^server/src/' },
    },
    {
      name: 'the-console-is-a-client',
      comment: 'console/ runs in a browser, and calls the gateway through the admin client only',
      severity: 'error',
      from: { path: '^server/console/', pathNot: ['^server/console/(test/|build\\.ts)', '\\.test\\.ts$'] },
      to: {
        path: '^(server|sdk|openapi|conformance|docs)/',
        pathNot: ['^server/console/', '^sdk/src/admin/index\\.ts$', 'node_modules/'],
      },
    },
    {
      name: 'the-suite-speaks-raw-http',
      comment: 'the suite tests the SDK and must not use it, so that one bug cannot hide another',
      severity: 'error',
      from: { path: '^conformance/src/' },
      to: { path: '^sdk/src/' },
    },
    {
      name: 'files-of-checks-stand-alone',
      comment: 'steps that several files share are in conformance/src/kit/',
      severity: 'error',
      from: { path: '^conformance/src/checks/[^/]+/' },
      to: { path: '^conformance/src/checks/' },
    },
    {
      name: 'only-steps-import-steps',
      severity: 'error',
      from: { path: '^conformance/src/kit/', pathNot: '^conformance/src/kit/steps/' },
      to: { path: '^conformance/src/kit/steps/' },
    },
    {
      name: 'the-server-does-not-import-the-sdk',
      comment: 'only the command `device` is a client of a gateway',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/(app/device-command|devices/remote-assistant)\\.ts$' },
      to: { path: '^(sdk|conformance)/' },
    },
    {
      name: 'the-command-device-is-a-worker-of-the-sdk',
      severity: 'error',
      from: { path: '^server/src/(app/device-command|devices/remote-assistant)\\.ts$' },
      to: { path: '^(sdk|conformance)/', pathNot: '^sdk/src/worker/index\\.ts$' },
    },
    {
      name: 'only-the-gateway-in-memory-imports-the-behaviour',
      comment: 'packing the SDK copies the modules of openapi/src that the gateway in memory imports',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: ['\\.test(-d)?\\.ts$', '^sdk/src/testing/'] },
      to: { path: '^openapi/src/' },
    },
    {
      name: 'the-sdk-stands-alone',
      comment:
        'the published SDK imports its own files and its two dependencies; a subpath may have its own peer dependency',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: '\\.test(-d)?\\.ts$' },
      to: {
        pathNot: [
          '^sdk/src/',
          '^openapi/generated/(gateway|admin|limits|worker)\\.ts$',
          '^openapi/src/(behaviour/|document/json-values\\.ts$)',
          'node_modules/(openapi-fetch|eventsource-parser|msw|@opentelemetry/api|ai)/',
          '^(node:)?(fs|crypto|path)',
        ],
      },
    },
    {
      name: 'the-sdk-runs-everywhere',
      comment: 'only the file outbox needs Node, Bun or Deno',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: ['\\.test(-d)?\\.ts$', '^sdk/src/outbox/file-outbox\\.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-handlers-for-msw-need-msw',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: ['\\.test\\.ts$', '^sdk/src/testing/msw\\.ts$'] },
      to: { path: 'node_modules/msw/' },
    },
    {
      name: 'only-ai-sdk-needs-ai',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: ['\\.test\\.ts$', '^sdk/src/ai-sdk/'] },
      to: { path: 'node_modules/(ai|@ai-sdk)/' },
    },
    {
      name: 'only-opentelemetry-needs-its-api',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: ['\\.test\\.ts$', '^sdk/src/opentelemetry/'] },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'the-contract-imports-no-other-package',
      severity: 'error',
      from: { path: '^openapi/' },
      to: { path: '^(sdk|server|conformance)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
