import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { debianGo } from '../../../server/test/support/debian-packages.ts'
import { guideProgram, QUESTIONS, VERDICTS, verdictsOf } from './signature-vectors.ts'

const MAIN = `package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"vectors/callbacks"
)

func main() {
	var questions []struct {
		Headers [][2]string
		Body    string
		Secrets []string
		Now     int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		panic(err)
	}
	for _, each := range questions {
		headers := http.Header{}
		for _, header := range each.Headers {
			headers.Add(header[0], header[1])
		}
		body, err := base64.StdEncoding.DecodeString(each.Body)
		if err != nil {
			panic(err)
		}
		fmt.Println(callbacks.IsGenuine(headers, body, each.Secrets, each.Now))
	}
}
`

it('the Go program of the guide gives the expected results for the test vectors', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verify-go-'))
  try {
    await mkdir(join(folder, 'callbacks'))
    await writeFile(join(folder, 'go.mod'), 'module vectors\n\ngo 1.19\n')
    await writeFile(join(folder, 'callbacks/verify.go'), await guideProgram('verify.go'))
    await writeFile(join(folder, 'main.go'), MAIN)
    const stdout = execFileSync(debianGo(), ['run', '.'], {
      cwd: folder,
      input: JSON.stringify(QUESTIONS),
      encoding: 'utf8',
      // Go must download nothing, and write only to the folder.
      env: { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod', GOCACHE: join(folder, 'cache') },
    })
    expect(verdictsOf(stdout)).toEqual(VERDICTS)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
