"""The bytes of a judge's file, as clawgit/language/judges/weights.py reads them."""

import json
from typing import Any
from zlib import crc32

from clawgit.language.judges.weights import FRONT, MAGIC, VERSION, seed


def packed(fields: dict[str, Any], table: bytes) -> bytes:
    header = json.dumps(fields, ensure_ascii=True, sort_keys=True).encode()
    checksum = crc32(table, crc32(header, seed(VERSION, 0, len(header))))
    return FRONT.pack(MAGIC, VERSION, 0, checksum, len(header)) + header + table
