import { defineWorkerConfig } from '../../src/kit/config/worker-config.ts'
import { siblingModule } from '../sibling-module.ts'

/** The SDK's worker with an assistant that follows scripts. */
export default defineWorkerConfig({
  name: "the SDK's worker",
  command: [process.execPath, siblingModule(import.meta.url, 'main')],
})
