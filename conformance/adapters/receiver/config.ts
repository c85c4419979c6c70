import { defineReceiverConfig } from '../../src/kit/config/receiver-config.ts'
import { startReceiverKit } from './start-receiver-kit.ts'

/** The SDK's receiver kit, started as a separate process. */
export default defineReceiverConfig(() => startReceiverKit())
