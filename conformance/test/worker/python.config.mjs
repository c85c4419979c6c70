import { fileURLToPath } from 'node:url'

/** The worker in Python, behind the scripts of the suite. */
export default {
  name: 'the worker in Python',
  command: ['python3', fileURLToPath(new URL('scripted_worker.py', import.meta.url))],
  env: { PYTHONDONTWRITEBYTECODE: '1' },
}
