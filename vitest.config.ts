import { defineConfig } from 'vitest/config'

const NEVER = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  test: {
    // Each worker may hold an embedded database of half a gigabyte.
    maxWorkers: 3,
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...NEVER, 'server/test/**'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/test/**/*.test.ts'],
          exclude: NEVER,
          // One PostgreSQL server for the run. Only these tests wait for it.
          globalSetup: 'server/test/support/global-setup.ts',
        },
      },
    ],
  },
})
