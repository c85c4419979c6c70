import { fileURLToPath } from 'node:url'
import { defineClientConfig } from '../../src/config/client-config.ts'

/** The example in Python. Needs `python3`, 3.9 or later (Debian: `apt install python3`). */
export default defineClientConfig({
  command: ['python3', fileURLToPath(new URL('adapter.py', import.meta.url))],
})
