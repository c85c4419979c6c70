import { defineClientConfig } from '../../src/config/client-config.ts'
import { siblingModule } from '../../src/sibling-module.ts'

/** The SDK behind the adapter protocol. */
export default defineClientConfig({
  command: [process.execPath, siblingModule(import.meta.url, 'main')],
})
