/** A block that is marked `not-run`. */
interface NotRun {
  readonly path: string
  /** Its first line. */
  readonly begins: string
  /** Why nobody runs it here, or who does. */
  readonly because: string
}

const STARTS_A_GATEWAY = 'It starts a gateway; the one of the tests runs already.'
const INSTALLS =
  'It installs the packed client with its dependencies from the registry; sdk/test/package tries the package.'
const NEEDS_WINDOWS = 'It is for PowerShell on Windows.'
const NEEDS_POSTGRES = 'It needs a PostgreSQL of the reader; server/test/processes starts such processes.'
const DEPLOYS = 'It changes the machine for good; deploy/test takes the same steps with files of its own.'
const RESTARTS = "It restarts a service of the reader's machine; server/test/processes ends and starts processes."
const REPLACES_DATA = "It replaces the reader's database; deploy/test/restore.test.ts does so with one of its own."
const CONFIGURES_PROMETHEUS = 'It is a configuration of Prometheus; deploy/test/alerts.test.ts tries the rules.'

const CHECK = 'docs/guides/check-your-own.md'

/** Every such block of the texts. */
export const NOT_RUN: readonly NotRun[] = [
  { path: 'docs/start/quickstart.md', begins: 'npm start', because: STARTS_A_GATEWAY },
  {
    path: 'docs/start/quickstart.md',
    begins: 'export PATH="$PWD/node_modules/.bin:$PATH"',
    because: INSTALLS,
  },
  {
    path: 'docs/start/quickstart.md',
    begins: '$env:PATH = "$PWD\\node_modules\\.bin;$env:PATH"',
    because: NEEDS_WINDOWS,
  },
  {
    path: 'docs/guides/test-your-app.md',
    begins: 'npm install --save-dev msw',
    because: 'It installs from the registry.',
  },
  {
    path: 'docs/guides/callbacks-in-your-program.md',
    begins: 'npm run -s admin -- callbacks create --app-id app_demo --endpoint-id ep_demo_echo \\',
    because:
      'It would send the runs of all texts to the receivers of the others; the test makes one for each receiver.',
  },
  {
    path: 'docs/guides/callbacks-in-your-program.md',
    begins: 'PORT=9000 node receiver.ts',
    because: 'The receiver is run with a secret of the test.',
  },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: 'GATEWAY_PORT=http GATEWAY_PROT=8787 npm start',
    because: 'The test of the settings runs it, without npm.',
  },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: 'runuser -u postgres -- createuser --pwprompt gateway',
    because: NEEDS_POSTGRES,
  },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: 'install -m 600 /dev/null gateway.env',
    because: NEEDS_POSTGRES,
  },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins:
      'npm run -s admin -- callbacks retry-deliveries --created-after 2026-03-02T09:00:00Z --created-before 2026-03-02T10:00:00Z',
    because: 'It is about deliveries of an hour that has been; the tests of the command line retry some.',
  },
  {
    path: 'docs/guides/applications-and-operators.md',
    begins: 'npm run -s admin -- operators create --name "Night shift" --role operate',
    because: 'It prints a token, which the tests of the operators look at.',
  },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: 'npm run -s admin -- runs timeline run_0199d3a1c0e37b55c6d7e8f901122334',
    because: 'It asks for a run of the reader; the tests of the operator routes ask for theirs.',
  },
  {
    path: 'docs/guides/watch.md',
    begins: 'export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
    because: 'It needs a collector; server/test/processes has one of its own.',
  },
  { path: 'docs/guides/several-machines.md', begins: 'GATEWAY_ROLES=api npm start', because: NEEDS_POSTGRES },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: 'export GATEWAY_HOST=10.0.0.5 GATEWAY_BEHIND_PROXY=1 GATEWAY_PUBLIC_URL=https://gateway.example.com',
    because: 'It listens on an address that this machine does not have; server/test/processes starts one on all.',
  },
  {
    path: 'docs/guides/fail-over.md',
    begins: "export DATABASE_URL='postgres://gateway:password@db1:5432,db2:5432/gateway'",
    because: NEEDS_POSTGRES,
  },
  { path: 'docs/guides/deploy.md', begins: 'npm run build', because: 'deploy/test/built.test.ts runs it.' },
  {
    path: 'docs/guides/deploy.md',
    begins: 'node dist/gateway/main.js --version',
    because: 'deploy/test/built.test.ts starts the folder.',
  },
  { path: 'docs/guides/deploy.md', begins: 'apt-get install postgresql', because: DEPLOYS },
  { path: 'docs/guides/deploy.md', begins: 'install -m 600 /dev/null /etc/conversation-gateway.env', because: DEPLOYS },
  {
    path: 'docs/guides/deploy.md',
    begins:
      'admin() { (set -a && . /etc/conversation-gateway.env && exec node /opt/conversation-gateway/main.js admin "$@"); }',
    because: DEPLOYS,
  },
  {
    path: 'docs/guides/deploy.md',
    begins: 'podman run --rm conversation-gateway --version',
    because: 'There need not be a container engine; deploy/test/built.test.ts calls the program of the image so.',
  },
  {
    path: 'docs/guides/deploy.md',
    begins: 'useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin conversation-gateway',
    because: DEPLOYS,
  },
  {
    path: 'docs/guides/deploy.md',
    begins: 'podman build --format docker -f deploy/Containerfile -t conversation-gateway .',
    because: 'There need not be a container engine; deploy/test/built.test.ts goes through its steps.',
  },
  {
    path: 'docs/guides/deploy.md',
    begins:
      'for name in POSTGRES_PASSWORD GATEWAY_ADMIN_TOKEN GATEWAY_SECRET_KEY; do echo "$name=$(openssl rand -hex 32)"; done > gateway.env',
    because: DEPLOYS,
  },
  {
    path: 'docs/guides/deploy.md',
    begins: 'install -m 644 deploy/nginx/conversation-gateway.conf /etc/nginx/conf.d/',
    because: DEPLOYS,
  },
  { path: 'docs/guides/upgrade.md', begins: 'npm run build', because: DEPLOYS },
  { path: 'docs/guides/upgrade.md', begins: 'systemctl restart conversation-gateway', because: RESTARTS },
  {
    path: 'docs/guides/back-up-and-restore.md',
    begins: '. /etc/conversation-gateway.env',
    because: REPLACES_DATA,
  },
  { path: 'docs/guides/back-up-and-restore.md', begins: 'systemctl stop conversation-gateway', because: REPLACES_DATA },
  {
    path: 'docs/guides/alerts.md',
    begins: 'rule_files: [/etc/prometheus/conversation-gateway-alerts.yaml]',
    because: CONFIGURES_PROMETHEUS,
  },
  {
    path: CHECK,
    begins: '# known-failures.yaml',
    because: 'It lists what the gateway does right; conformance/test/package/packed.test.ts has such a list.',
  },
  {
    path: CHECK,
    begins:
      'npx gateway-conformance server --config gateway.config.mjs --baseline known-failures.yaml --report-junit report.xml',
    because: 'Its list is that of a gateway with a fault.',
  },
  {
    path: CHECK,
    begins: 'npx gateway-conformance receiver --config receiver.config.mjs',
    because: 'It needs the receiver of the reader; the one that comes with the suite is checked.',
  },
  {
    path: CHECK,
    begins: "import { serverSuite } from '@conversation-gateway/conformance/vitest'",
    because: 'It needs a vitest project; conformance/test/package/packed.test.ts runs one.',
  },
  {
    path: CHECK,
    begins: 'npx gateway-conformance doctor --base-url https://gateway.example.com --key "$KEY" --endpoint ep_main',
    because: 'It looks at a deployment; conformance/test/doctor has some.',
  },
  {
    path: CHECK,
    begins: 'npx gateway-conformance fault-proxy --target http://127.0.0.1:8787 --fault lose-answer --every 3',
    because: 'It runs until it is stopped; conformance/test/fault-proxy tries it.',
  },
  { path: 'README.md', begins: 'npm start', because: STARTS_A_GATEWAY },
  { path: 'README.md', begins: 'npm test', because: 'It runs these very tests.' },
  { path: 'README.md', begins: 'export PATH="$PWD/node_modules/.bin:$PATH"', because: INSTALLS },
  {
    path: 'README.md',
    begins: 'DATABASE_URL=postgres://user:password@localhost:5432/gateway npm start',
    because: NEEDS_POSTGRES,
  },
  {
    path: 'server/README.md',
    begins: 'npm start                    # in the folder above; `npm start -- --help` lists every setting',
    because: STARTS_A_GATEWAY,
  },
  {
    path: 'CONTRIBUTING.md',
    begins: 'npm start          # installs, and serves the gateway',
    because: STARTS_A_GATEWAY,
  },
]
