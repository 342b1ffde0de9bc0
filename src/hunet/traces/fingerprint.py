"""The content hash of a trace: the same for the same contacts and nodes, however they are split into files.

Contacts are hashed as a set of rows: each row is mixed to two 64-bit words, and the words are added up, which needs no
order and one pass in bounded memory. It tells traces apart; it is no protection against someone who forges one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.mixing import STEP, mix
from hunet.model.tables import CONTACTS

Words = npt.NDArray[np.uint64]

_LANES = (np.uint64(1), np.uint64(2))


def fingerprint(contacts: Iterable[pa.RecordBatch], nodes: pa.Table) -> str:
    """The hash, in hexadecimal digits, of contacts in any order and of nodes in the order of their ids."""
    rows = 0
    sums = [np.uint64(0) for _lane in _LANES]
    with np.errstate(over="ignore"):
        for batch in contacts:
            rows += batch.num_rows
            for lane, seed in enumerate(_LANES):
                sums[lane] += _mix_rows(batch, seed).sum(dtype=np.uint64)
    digest = hashlib.sha256(f"{rows} {sums[0]:016x} {sums[1]:016x}".encode())
    for column in nodes.column_names:
        digest.update(f"{column} {nodes.column(column).to_pylist()!r}".encode())
    return digest.hexdigest()


def _mix_rows(batch: pa.RecordBatch, seed: np.uint64) -> Words:
    mixed: Words = np.full(batch.num_rows, seed)
    for field in CONTACTS:
        values = batch.column(field.name).to_numpy(zero_copy_only=False)
        if field.type == pa.float64():
            words = (values + 0.0).view(np.uint64)  # -0.0 and 0.0 are the same time
        else:
            words = values.astype(np.uint64)
        mixed = mix((mixed ^ words) + STEP)
    return mixed
