/** The page under `/docs` while the site is not built. It reloads every few seconds. */
export const unbuiltSitePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<title>Conversation Gateway: documentation</title>
<style>
:root { color-scheme: light dark }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem }
</style>
</head>
<body>
<h1>The documentation is not built yet</h1>
<p>Run <code>npm run docs:build</code> in the folder of the gateway. It installs what it needs and builds for about half a
minute; this page shows the documentation as soon as it is there.</p>
<p>Until then: the contract as <a href="/openapi.json">OpenAPI document</a>, and every <a href="/docs/errors">error
code</a>.</p>
</body>
</html>
`
