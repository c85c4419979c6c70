/** Fails the test run for a leak of listeners, which Node only warns of. */
process.on('warning', (warning) => {
  if (warning.name === 'MaxListenersExceededWarning') throw warning
})
