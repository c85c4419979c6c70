import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { readDocument } from './documents.ts'

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

/** Streams like a LangGraph graph with `stream_mode="messages"`: a tool call in pieces, its result, text. */
const GRAPH = `
import json
from types import SimpleNamespace as Chunk

class Graph:
    async def astream(self, given, stream_mode):
        assert given == {"messages": [("user", "Where is 4711?")]} and stream_mode == "messages"
        call = lambda id, name, args: {"id": id, "name": name, "args": args, "index": 0, "type": "tool_call_chunk"}
        yield Chunk(type="AIMessageChunk", content="", tool_call_chunks=[call("call_1", "find_order", "")]), {}
        yield Chunk(type="AIMessageChunk", content="", tool_call_chunks=[call(None, None, '{"order": "4711"}')]), {}
        yield Chunk(type="tool", content="shipped", tool_call_id="call_1", name="find_order"), {}
        yield Chunk(type="AIMessageChunk", content="It is on ", tool_call_chunks=[]), {}
        yield Chunk(type="AIMessageChunk", content="its way.", tool_call_chunks=[]), {}

graph = Graph()
`
const RUN = `
for step in assistant(Chunk(record={"input": {"text": "Where is 4711?"}})):
    print(json.dumps(step))
`

it.skipIf(!hasPython)('the guide’s agent with tools yields its calls, results and text (needs python3)', async () => {
  const { blocks } = await readDocument('docs/guides/bring-your-own-agent.md')
  const snippet = blocks.find(({ code }) => code.includes('astream'))?.code ?? ''
  const { stdout, stderr } = spawnSync('python3', ['-c', `${GRAPH}${snippet}${RUN}`], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { activity: { activity_id: 'call_1', kind: 'tool', name: 'find_order' } },
    { activity: { activity_id: 'call_1', state: 'succeeded', output: { text: 'shipped' } } },
    { delta: 'It is on ' },
    { delta: 'its way.' },
  ])
})
