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
const NEEDS_POSTGRES = 'It needs a PostgreSQL of the reader; server/test/processes starts such processes.'

/** Every such block of the texts. */
export const NOT_RUN: readonly NotRun[] = [
  { path: 'docs/start/quickstart.md', begins: 'npm start', because: STARTS_A_GATEWAY },
  {
    path: 'docs/start/quickstart.md',
    begins: 'export PATH="$PWD/node_modules/.bin:$PATH"',
    because: INSTALLS,
  },
  {
    path: 'docs/guides/test-your-app.md',
    begins: 'npm install --save-dev msw',
    because: 'It installs from the registry.',
  },
  {
    path: 'docs/guides/receive-callbacks.md',
    begins: 'CALLBACK_SECRET=whsec_… PORT=9000 node receiver.ts',
    because: 'The receiver is run with a secret of the test.',
  },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: 'GATEWAY_PORT=http GATEWAY_PROT=8787 npm start',
    because: 'The test of the settings runs it, without npm.',
  },
  { path: 'docs/guides/operate-the-gateway.md', begins: 'createuser --pwprompt gateway', because: NEEDS_POSTGRES },
  { path: 'docs/guides/operate-the-gateway.md', begins: 'GATEWAY_ROLES=api npm start', because: NEEDS_POSTGRES },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: 'export GATEWAY_HOST=10.0.0.5 GATEWAY_BEHIND_PROXY=1 GATEWAY_PUBLIC_URL=https://gateway.example.com',
    because: 'It listens on an address that this machine does not have; server/test/processes starts one on all.',
  },
  {
    path: 'docs/guides/operate-the-gateway.md',
    begins: "export DATABASE_URL='postgres://gateway:password@db1:5432,db2:5432/gateway'",
    because: NEEDS_POSTGRES,
  },
  { path: 'docs/guides/operate-the-gateway.md', begins: 'location / {', because: 'There is no nginx here.' },
  { path: 'docs/guides/operate-the-gateway.md', begins: '[Service]', because: 'There is no systemd here.' },
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

/** Texts whose snippets are not looked at here. */
export const NOT_FOLLOWED: readonly { readonly path: string; readonly because: string }[] = [
  {
    path: 'docs/guides/check-your-own.md',
    because: 'Its commands run the conformance suite for minutes each: they belong to the tests of that package.',
  },
]
