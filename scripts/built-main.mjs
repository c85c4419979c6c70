// Becomes main.js of a built gateway. An older Node has to run it, so what it imports is loaded only after the check.
const OLDEST_MAJOR = 24

const { node } = process.versions
if (Number(node.split('.')[0]) < OLDEST_MAJOR) {
  console.error(
    `This gateway needs Node ${OLDEST_MAJOR} or later, and ${process.execPath} is Node ${node}. Put a newer one first in PATH.`,
  )
  process.exit(1)
}
const program = new URL('server/src/main.js', import.meta.url)
await import(program.href)
