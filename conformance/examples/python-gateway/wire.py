"""The parts of HTTP/1.1 that the gateway needs, on asyncio. Handlers are synchronous, so no other request runs meanwhile."""
import asyncio
import json
import traceback
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 17 * 1024 * 1024


@dataclass
class Request:
    method: str
    path: str
    query: list
    headers: list  # pairs of a name in lower case and the bytes of its value
    body: bytes = b''

    def values(self, name):
        return [value for known, value in self.headers if known == name]

    def header(self, name):
        """The value of a header that occurs exactly once; None otherwise."""
        values = self.values(name)
        return values[0].decode('latin-1') if len(values) == 1 else None


@dataclass
class Response:
    status: int
    body: bytes = b''
    headers: dict = field(default_factory=dict)


@dataclass
class Stream:
    """A streaming answer: `write(reader, writer)` sends the body until either side ends it."""
    headers: dict
    write: object


class BadRequest(Exception):
    pass


def to_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(',', ':')).encode()


def json_response(status, value, headers=None, content_type='application/json'):
    return Response(status, to_json(value), {'Content-Type': content_type, **(headers or {})})


async def listen(handler, host, port):
    server = await asyncio.start_server(lambda r, w: _converse(handler, r, w), host, port, limit=MAX_HEAD_BYTES)
    return server, f'http://{host}:{server.sockets[0].getsockname()[1]}'


async def _converse(handler, reader, writer):
    try:
        while True:
            try:
                request = await _read_request(reader, writer)
            except (BadRequest, ValueError, asyncio.LimitOverrunError) as error:
                problem = {'status': 400, 'code': 'INVALID_REQUEST', 'detail': str(error)}
                await _send(writer, json_response(400, problem, {'Connection': 'close'}, 'application/problem+json'))
                return
            answer = _answer(handler, request)
            if isinstance(answer, Stream):
                writer.write(_head(200, {**answer.headers, 'Connection': 'close'}))
                await answer.write(reader, writer)
                return
            last = (request.header('connection') or '').lower() == 'close'
            if last:
                answer.headers['Connection'] = 'close'
            await _send(writer, answer, with_body=request.method != 'HEAD')
            if last:
                return
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


def _answer(handler, request):
    try:
        return handler(request)
    except Exception:
        traceback.print_exc()
        problem = {'status': 500, 'code': 'INTERNAL', 'detail': 'The gateway failed; its log says why.'}
        return json_response(500, problem, content_type='application/problem+json')


def _head(status, headers):
    lines = [f'HTTP/1.1 {status} {HTTPStatus(status).phrase}', *(f'{name}: {value}' for name, value in headers.items())]
    return ('\r\n'.join(lines) + '\r\n\r\n').encode('latin-1')


async def _send(writer, response, with_body=True):
    length = {} if response.status == 204 else {'Content-Length': str(len(response.body))}
    writer.write(_head(response.status, {**response.headers, **length}) + (response.body if with_body else b''))
    await writer.drain()


async def _read_request(reader, writer):
    lines = (await reader.readuntil(b'\r\n\r\n')).split(b'\r\n')
    parts = lines[0].decode('latin-1').split(' ')
    if len(parts) != 3 or not parts[2].startswith('HTTP/1.'):
        raise BadRequest('The request line is malformed, or not of HTTP/1.')
    method, target, _ = parts
    headers = []
    for line in filter(None, lines[1:]):
        name, colon, value = line.partition(b':')
        if not colon or not name or name.strip() != name:
            raise BadRequest('A header line is malformed.')
        headers.append((name.decode('latin-1').lower(), value.strip(b' \t')))
    path, _, query = target.partition('?')
    request = Request(method, unquote(path), parse_qsl(query, keep_blank_values=True), headers)
    if (request.header('expect') or '').lower() == '100-continue':
        writer.write(b'HTTP/1.1 100 Continue\r\n\r\n')
    request.body = await _read_body(request, reader)
    return request


async def _read_body(request, reader):
    if (request.header('transfer-encoding') or '').lower() == 'chunked':
        body = b''
        while size := int((await reader.readuntil(b'\r\n')).split(b';')[0], 16):
            if len(body) + size > MAX_BODY_BYTES:
                raise BadRequest('The body is too large.')
            body += (await reader.readexactly(size + 2))[:-2]
        while await reader.readuntil(b'\r\n') != b'\r\n':
            pass
        return body
    length = request.header('content-length') or '0'
    if not length.isascii() or not length.isdigit() or int(length) > MAX_BODY_BYTES:
        raise BadRequest('The Content-Length is invalid or too large.')
    return await reader.readexactly(int(length))
