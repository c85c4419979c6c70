import { defineReceiverConfig } from '../../src/kit/config/receiver-config.ts'
import { startReceiverKit } from './start-receiver-kit.ts'

/** The SDK's receiver kit, started by itself. */
export default defineReceiverConfig(() => startReceiverKit())
