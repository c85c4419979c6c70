import { DEMO } from '../../gateway/bootstrap/demo.ts'
import type { Demo } from './demo.ts'

/** How to use the demo from a shell: blocks of commands to paste. */
export const demoInstructions = (demo: Demo, baseUrl: string): string =>
  demo.key === null ? newKey(baseUrl) : walk(demo.key, baseUrl, demo.keptIn)

const walk = (key: string, baseUrl: string, keptIn: string | null): string => `\
A demo application is ready. ${
  keptIn === null ? 'Its key is shown only now; the admin API creates further keys.' : `Its key is kept in ${keptIn}.`
} To try it, paste into a shell:

  KEY=${key}
  API=${baseUrl}/api/v1
  call() { curl -sS -w '\\n' -H "Authorization: Bearer $KEY" -H 'X-Service-Subject: demo' -H 'Content-Type: application/json' "$@"; }

Create a conversation with the echo service, send a message, and read the conversation:

  CONVERSATION=$(call $API/conversations -H 'Idempotency-Key: demo' -d '{"endpoint_id":"${DEMO.echoEndpointId}"}' | sed 's/.*"conversation_id":"\\([^"]*\\)".*/\\1/')
  call $API/conversations/$CONVERSATION/messages -H "Idempotency-Key: demo-send-$(date +%s)" -d '{"expected_generation":1,"input":{"text":"Hello there"}}'
  call $API/conversations/$CONVERSATION

Follow its events as they happen (Ctrl-C only closes the stream):

  call -N $API/conversations/$CONVERSATION/events -H 'Accept: text/event-stream'

Start a run that follows the script in its input:

  call $API/agent-endpoints/${DEMO.scriptEndpointId}/runs -H "Idempotency-Key: demo-run-$(date +%s)" -d '{"input":{"data":{"script":[{"delta":"Half of "},{"fail":{"code":"DEMO","message":"The script failed here."}}]}}}'

Try the API in a browser, with the key filled in:

  ${baseUrl}/docs/reference/http/conversations#key=${key}
`

const newKey = (baseUrl: string): string => `\
This gateway does not know the key of the demo application ${DEMO.appId}. Create another key with the admin token:

  curl -sS -H "Authorization: Bearer $GATEWAY_ADMIN_TOKEN" -H 'Content-Type: application/json' ${baseUrl}/admin/v1/apps/${DEMO.appId}/keys -d '{"scopes":["conversations:read","conversations:write","runs:read","runs:write"]}'
`
