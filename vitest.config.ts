import { defineConfig } from 'vitest/config'

const NEVER = ['**/node_modules/**', '**/dist/**']
/** Tests of `npm run test:long`: they build and install first, need root, start many processes or take minutes. */
const LONG = [
  'conformance/test/client/{null,passing}-clients.test.ts',
  'conformance/test/receiver/receivers.test.ts',
  'conformance/test/worker/*.test.ts',
  'conformance/test/server/broken-servers.test.ts',
  'deploy/test/*.test.ts',
  'docs/test/{browser,check-your-own,other-base}.test.ts',
  'docs/test/snippets/{snippets,verify-go}.test.ts',
  'server/console/test/*.test.ts',
  'conformance/test/package/packed.test.ts',
  'sdk/test/ai-sdk/use-chat.test.ts',
  'sdk/test/faults/workers.test.ts',
  'sdk/test/package/{consumer,contents,public-surface}.test.ts',
  'sdk/test/readme/readme.test.ts',
  'conformance/test/server/long/*.test.ts',
  'server/test/crash/workers.test.ts',
  'server/test/failover/long/*.test.ts',
  'server/test/processes/{after-a-death,demo,demo-page,lifetime,react-chat,start}.test.ts',
  'server/test/store/{pglite,prepared-database,private-folder}.test.ts',
  'server/test/upgrade/long/*.test.ts',
]

export default defineConfig({
  test: {
    // Each worker may hold an embedded database of half a gigabyte.
    maxWorkers: 3,
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['scripts/fail-on-warnings.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...NEVER, ...LONG, 'server/test/**'],
          // The files share no state, and starting a process for each takes longer than most of them.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: LONG, exclude: NEVER, globalSetup: 'server/test/support/global-setup.ts' },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/test/**/*.test.ts'],
          exclude: [...NEVER, ...LONG],
          // The embedded database is compiled once per worker instead of once per file.
          isolate: false,
          // One PostgreSQL server for the run. Only these tests wait for it.
          globalSetup: 'server/test/support/global-setup.ts',
        },
      },
    ],
  },
})
