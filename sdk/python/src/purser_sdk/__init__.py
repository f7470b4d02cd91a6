"""The Python client for Purser. It signs requests, repeats them and verifies responses."""

# fmt: off
from . import models
from ._async.client import AsyncPurser
from ._async.pages import AsyncPages
from ._call import NOT_GIVEN, ApiResponse, NotGiven, RequestOptions
from ._log import LogLevel
from ._model import Model
from ._settings import Mode
from ._sync.client import Purser
from ._sync.pages import Pages
from ._version import VERSION
from .audit import AuditAnchor, AuditBreak, AuditExportVerification, RejectedCheckpoint, verify_audit_export
from .canonical_json import Json, canonical_json
from .env_bundle import EnvBundle, EnvBundleNames, verify_env_bundle, verify_env_signature
from .errors import (
    APIConnectionError, APIError, APITimeoutError, AuthenticationError, BadGatewayError, BadRequestError,
    ConflictError, NotFoundError, OperationFailedError, OperationTimeoutError, PaymentRequiredError,
    PermissionDeniedError, PurserError, RateLimitError, ServerError, ServiceUnavailableError,
    SignatureVerificationError, ValidationError,
)
from .signing import Ed25519KeyProof, canonical_request, ed25519_key_proof, sign_request, signing_key
from .statements import TrustedKeys, verify_freeze_proof, verify_payment_receipt, verify_revocation

__all__ = [
    "NOT_GIVEN", "VERSION", "APIConnectionError", "APIError", "APITimeoutError", "ApiResponse", "AsyncPages",
    "AsyncPurser", "AuditAnchor", "AuditBreak", "AuditExportVerification", "AuthenticationError", "BadGatewayError",
    "BadRequestError", "ConflictError", "Ed25519KeyProof", "EnvBundle", "EnvBundleNames", "Json", "LogLevel",
    "Mode", "Model", "NotFoundError", "NotGiven", "OperationFailedError", "OperationTimeoutError", "Pages",
    "PaymentRequiredError", "PermissionDeniedError", "Purser", "PurserError", "RateLimitError",
    "RejectedCheckpoint", "RequestOptions", "ServerError", "ServiceUnavailableError", "SignatureVerificationError",
    "TrustedKeys", "ValidationError", "canonical_json", "canonical_request", "ed25519_key_proof", "models",
    "sign_request", "signing_key", "verify_audit_export", "verify_env_bundle", "verify_env_signature",
    "verify_freeze_proof", "verify_payment_receipt", "verify_revocation",
]
