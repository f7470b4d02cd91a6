"""The version of this package, sent in `User-Agent`."""

VERSION = "0.1.0"
