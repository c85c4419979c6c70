"""Refusals, as RFC 9457 problems."""


class Problem(Exception):
    def __init__(self, status, code, detail, pointer=None, headers=None):
        super().__init__(detail)
        self.status, self.code, self.detail, self.headers = status, code, detail, headers or {}
        self.errors = [] if pointer is None else [{'pointer': pointer, 'message': detail}]

    def body(self):
        title = self.code.replace('_', ' ').capitalize()
        errors = {'errors': self.errors} if self.errors else {}
        return {'type': 'about:blank', 'title': title, 'status': self.status, 'detail': self.detail,
                'code': self.code, **errors}


def invalid(pointer, detail):
    return Problem(400, 'INVALID_REQUEST', detail, pointer)


def not_found():
    return Problem(404, 'NOT_FOUND', 'There is no such record for this application and subject.')


def busy(detail):
    return Problem(409, 'BUSY', detail)


def too_many(code, detail):
    return Problem(429, code, detail, headers={'Retry-After': '1'})


def unavailable(detail):
    return Problem(503, 'CAPABILITY_UNAVAILABLE', detail, headers={'Retry-After': '1'})


def unauthenticated(detail):
    return Problem(401, 'UNAUTHENTICATED', detail, headers={'WWW-Authenticate': 'Bearer'})


def denied(detail):
    return Problem(403, 'PERMISSION_DENIED', detail)
