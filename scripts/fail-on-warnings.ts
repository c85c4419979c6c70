/** Fails the test run for a leak of listeners, which Node only warns of. */
function failOnLeak(warning: Error): void {
  if (warning.name === 'MaxListenersExceededWarning') throw warning
}

// Test files that share a process each load this module.
if (!process.listeners('warning').some(({ name }) => name === failOnLeak.name)) process.on('warning', failOnLeak)
