// The build copies this file to main.js. It must also run on older versions of Node, so it imports the gateway only
// after the check.
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
