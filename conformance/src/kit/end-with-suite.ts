import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()

const endAll = (): void => {
  for (const child of children) child.kill('SIGKILL')
}

/** Kills a started process when the suite exits, unless SIGKILL ends the suite itself. */
export function endWithSuite(child: ChildProcess): void {
  if (children.size === 0) process.on('exit', endAll)
  children.add(child)
  child.once('exit', () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', endAll)
  })
}
