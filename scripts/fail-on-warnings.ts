/** Fails the test run when listeners leak, which Node only warns about. */
function failOnLeak(warning: Error): void {
  if (warning.name === 'MaxListenersExceededWarning') throw warning
}

// Test files that share a process each load this module.
if (!process.listeners('warning').some(({ name }) => name === failOnLeak.name)) process.on('warning', failOnLeak)
