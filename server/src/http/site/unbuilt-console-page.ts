/** The page at `/console` while the console is not built. It reloads every few seconds. */
export const unbuiltConsolePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3">
<title>Conversation Gateway: console</title>
</head>
<body>
<h1>The console is not built yet</h1>
<p>Run <code>npm run docs:build</code> in the folder of the gateway. It installs what it needs and builds the console, then the
documentation; this page shows the console as soon as it is there.</p>
<p>Until then, use the command line for the same tasks: <code>npm run -s admin -- --help</code>.</p>
</body>
</html>
`
