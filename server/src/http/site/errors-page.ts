import type { ErrorInfo } from '@conversation-gateway/openapi/generated/errors'
import { ERRORS } from '@conversation-gateway/openapi/generated/errors'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const section = ([code, { status, title, description, retryable, happened }]: [string, ErrorInfo]): string => `
<section id="${code}">
<h2>${code}</h2>
<p><strong>${status} ${escapeHtml(title)}.</strong> ${escapeHtml(description).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>
<p>${retryable ? 'The same request, under the same key, may succeed later.' : 'Repeating the same request does not help.'}
${happened === 'nothing' ? 'It had no effect.' : 'Whether it took effect is unknown.'}</p>
</section>`

/** The target of a problem's `type` while the documentation is not built: a page with every code as fragment (D-08). */
export const errorsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conversation Gateway: errors</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }</style>
</head>
<body>
<h1>Errors</h1>
<p>Every refusal is <code>application/problem+json</code>; its <code>code</code> is one of these.</p>
${Object.entries<ErrorInfo>(ERRORS).map(section).join('\n')}
</body>
</html>
`
