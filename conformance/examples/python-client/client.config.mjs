import { fileURLToPath } from 'node:url'
import { defineClientConfig } from '@conversation-gateway/conformance'

export default defineClientConfig({ command: ['python3', fileURLToPath(new URL('adapter.py', import.meta.url))] })
