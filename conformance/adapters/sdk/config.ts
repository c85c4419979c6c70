import { defineClientConfig } from '../../src/kit/config/client-config.ts'
import { siblingModule } from '../sibling-module.ts'

/** The SDK, driven through the adapter protocol. */
export default defineClientConfig({
  command: [process.execPath, siblingModule(import.meta.url, 'main')],
})
