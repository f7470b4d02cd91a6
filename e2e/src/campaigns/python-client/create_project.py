"""Generates a client from the OpenAPI document with openapi-python-client, and creates and lists a project with it."""

import hashlib
import hmac
import os
import subprocess
import sys
import time
import uuid

import httpx

URL, DOCUMENT, NAME = sys.argv[1:]
SIGNING_KEY = hashlib.sha256(os.environ["API_SECRET"].encode()).hexdigest().encode()


class Signed(httpx.Auth):
    """Signs requests with HMAC."""

    requires_request_body = True

    def auth_flow(self, request):
        timestamp = str(int(time.time()))
        digest = hashlib.sha256(request.content).hexdigest()
        canonical = f"{timestamp}.{request.method}.{request.url.raw_path.decode()}.{digest}"
        request.headers["Authorization"] = os.environ["API_KEY"]
        request.headers["X-Timestamp"] = timestamp
        request.headers["X-Nonce"] = str(uuid.uuid4())
        request.headers["X-Request-Signature"] = hmac.new(SIGNING_KEY, canonical.encode(), hashlib.sha256).hexdigest()
        yield request


generate = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--output-path", "purser"]
warnings = subprocess.run([*generate, "--path", DOCUMENT], check=True, capture_output=True, text=True).stderr
# The only thing that the generator cannot read is the export of an audit chain as JSON lines.
assert "Unable to process schema" not in warnings and warnings.count("WARNING") == 1, warnings

sys.path.insert(0, os.getcwd())
from purser import Client  # noqa: E402
from purser.api.projects import create_project, list_projects  # noqa: E402
from purser.models import Project, ProjectCreateRequest, ProjectList, ProjectStatus  # noqa: E402

client = Client(base_url=URL, httpx_args={"auth": Signed()})
created = create_project.sync(client=client, body=ProjectCreateRequest(name=NAME, monthly_cap="25.00"))
assert isinstance(created, Project), created
assert created.status is ProjectStatus.ACTIVE and created.monthly_cap == "25.00", created
listed = list_projects.sync(client=client, per_page=1)
assert isinstance(listed, ProjectList), listed
print([project.name for project in listed.data])
