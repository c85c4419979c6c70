// The packages with the Node binaries declare `os` and `cpu` as strings. pnpm understands only lists, and would install
// every package.
const NODE_BINARY = /^node-(linux|win)-/

module.exports = {
  hooks: {
    readPackage: (manifest) =>
      NODE_BINARY.test(manifest.name)
        ? { ...manifest, os: [manifest.os].flat(), cpu: [manifest.cpu].flat() }
        : manifest,
  },
}
