const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an HTML or XML document. Characters that XML cannot contain are replaced. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are not allowed in XML
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '?')
