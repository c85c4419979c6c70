// The import rules of the house: arrows between packages point one way, and inside the server each floor
// imports only the floors below it.

/** Highest floor first; a floor may import itself and whatever stands after it. */
const FLOORS = [
  ['http'],
  ['assistants', 'delivery', 'devices', 'maintenance'],
  ['gateway'],
  ['writer'],
  ['store'],
  ['runtime'],
  ['domain'],
]

/** The same of the suite: a command runs checks, which work with the kit. */
const SUITE_FLOORS = ['commands', 'run', 'report', 'checks', 'kit']

const suiteFloorRules = SUITE_FLOORS.slice(1).map((name, index) => ({
  name: `suite-floor-${name}`,
  comment: `${name} may not import a floor above, nor what the package exports`,
  severity: 'error',
  from: { path: `^conformance/src/${name}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^conformance/src/((${SUITE_FLOORS.slice(0, index + 1).join('|')})/|[^/]+$)` },
}))

/** The same inside the SDK; the files beside these folders are below all of them. */
const SDK_ROOMS = ['client', 'events', 'outbox', 'transport']

const sdkRoom = (names) => `^sdk/src/(${names.join('|')})/`
const sdkRoomRules = SDK_ROOMS.map((name, index) => ({
  name: `sdk-room-${name}`,
  comment: `${name}/ may not import a folder above, nor a subpath that is built on the client`,
  severity: 'error',
  from: { path: sdkRoom([name]), pathNot: '\\.test\\.ts$' },
  to: {
    path: [
      ...(index === 0 ? [] : [sdkRoom(SDK_ROOMS.slice(0, index))]),
      '^sdk/src/(admin|ai-sdk|callbacks|opentelemetry|testing|webhooks|worker)/',
    ],
  },
}))

/** What is put together, and by whom: nothing below knows it. */
const APP = '^server/src/(app/|main\\.ts$)'

const floor = (names) => `^server/src/(${names.join('|')})/`
const floorRules = FLOORS.slice(1).map((names, index) => ({
  name: `server-floor-${names.join('-')}`,
  comment: `${names.join(', ')} may not import a floor above`,
  severity: 'error',
  from: { path: floor(names), pathNot: '\\.test\\.ts$' },
  to: { path: [floor(FLOORS.slice(0, index + 1).flat()), APP] },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...floorRules,
    ...suiteFloorRules,
    ...sdkRoomRules,
    {
      name: 'sdk-basics',
      comment: 'what lies beside the folders of the SDK is used by all of them; index.ts names what is published',
      severity: 'error',
      from: { path: '^sdk/src/[^/]+$', pathNot: ['^sdk/src/index\\.ts$', '\\.test(-d)?\\.ts$'] },
      to: { path: '^sdk/src/[^/]+/', pathNot: '^sdk/src/generated/' },
    },
    {
      name: 'server-top-is-not-imported',
      comment: 'main.ts and app/ use the floors, never the other way round',
      severity: 'error',
      from: { path: floor(FLOORS[0]) },
      to: { path: APP },
    },
    {
      name: 'nothing-loose-in-the-server',
      comment: 'server/src holds main.ts and folders',
      severity: 'error',
      from: { path: '^server/src/[^/]+$', pathNot: '^server/src/main\\.ts$' },
      to: {},
    },
    {
      name: 'domain-is-pure',
      comment: 'domain/ does no I/O: of Node it may use crypto, nothing else',
      severity: 'error',
      from: { path: '^server/src/domain/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'behaviour-is-pure',
      comment: 'the rules of a conversation do no I/O and run anywhere: they know the contract, and nothing else',
      severity: 'error',
      from: { path: '^openapi/src/behaviour/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^openapi/(src/behaviour|generated)/' },
    },
    {
      name: 'the-examiner-knows-no-behaviour',
      comment: 'the suite says for itself what a gateway must do, so that one mistake cannot hide in both',
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
      comment: 'admin-cli/ knows the gateway by its contract and over HTTP only',
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
      name: 'nobody-imports-the-server',
      comment:
        'but for the settings and the demo, which the documentation names, the console, which it builds, and the databases of the tests',
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
      comment: 'console/ runs in a browser and knows the gateway by the admin client only',
      severity: 'error',
      from: { path: '^server/console/', pathNot: ['^server/console/(test/|build\\.ts)', '\\.test\\.ts$'] },
      to: {
        path: '^(server|sdk|openapi|conformance|docs)/',
        pathNot: ['^server/console/', '^sdk/src/admin/index\\.ts$', 'node_modules/'],
      },
    },
    {
      name: 'the-suite-speaks-raw-http',
      comment: 'the SDK is examined by the suite, never used by it, so that one bug cannot hide another',
      severity: 'error',
      from: { path: '^conformance/src/' },
      to: { path: '^sdk/src/' },
    },
    {
      name: 'files-of-checks-stand-alone',
      comment: 'what several files do lies in conformance/src/kit/',
      severity: 'error',
      from: { path: '^conformance/src/checks/[^/]+/' },
      to: { path: '^conformance/src/checks/' },
    },
    {
      name: 'targets-know-no-steps',
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
      name: 'only-the-gateway-in-memory-behaves-as-one',
      comment: 'the modules that it imports are copied into the package when the client is packed',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: ['\\.test(-d)?\\.ts$', '^sdk/src/testing/'] },
      to: { path: '^openapi/src/' },
    },
    {
      name: 'the-sdk-stands-alone',
      comment: 'what is published imports its own files and its two dependencies; a subpath may have a peer of its own',
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
      comment: 'only the file outbox is for Node, Bun and Deno alone',
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
      name: 'the-contract-imports-nobody',
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
