"""Records that kernels get by their address: `borrowed(record)` hands a named tuple of arrays and numbers to a `loop`.

A named tuple that is passed to compiled code as it is falls apart into its numbers, seven and more for every array.
Each function that takes it takes them all, is typed, lowered and optimised with them all, and so is every call.
Borrowed, it is one number: where its fields lie, written down once before the loop begins. Kernels name fields as they
would those of the tuple, and find records inside records. A field is loaded where it is used; nothing can change it
meanwhile, which the compiler is told. Arrays must outlive the loop: whoever calls it holds the record.

Fields are whole numbers, floats, truth values, arrays and further named tuples. Whatever else a record has (text, None)
may be there, and is not to be read but for None.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, imputils, typing
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer, infer_getattr
from numba.extending import NativeValue, models, register_model, unbox

__all__ = ["Borrowed", "BorrowedRecord"]

_SLOT = 8
"""Bytes of everything that is written down: an address, a length, a number."""


class BorrowedRecord(types.Type):  # type: ignore[misc]
    """The type of the address of a named tuple."""

    def __init__(self, record: Any) -> None:
        self.record = record
        # What is compiled is called after its types, in every call. The name of a record is thousands of letters long.
        digest = hashlib.sha256(record.name.encode()).hexdigest()[:16]
        super().__init__(name=f"{record.instance_class.__name__}.{digest}")

    @property
    def key(self) -> Any:
        return self.record

    @property
    def mangling_args(self) -> Any:
        return self.name, ()

    def place(self, field: str) -> tuple[int, Any]:
        """In which slot a field begins, and its type as a kernel sees it."""
        at = self.record.fields.index(field)
        slot = sum(map(_slots, self.record.types[:at]))
        return slot, _seen(self.record.types[at])


def _seen(field: Any) -> Any:
    return BorrowedRecord(field) if isinstance(field, types.BaseNamedTuple) else field


def _slots(field: Any) -> int:
    """How many slots a field of this type has."""
    if isinstance(field, types.BaseNamedTuple):
        return sum(map(_slots, field.types))
    if isinstance(field, types.Array):
        return 1 + (1 if field.layout == "C" else 2) * int(field.ndim)
    return 1 if isinstance(field, types.Number | types.Boolean) else 0


def _written(record: Any, type_: Any) -> Iterator[bytes]:
    """A record's slots."""
    for value, field in zip(record, type_.types, strict=True):
        if isinstance(field, types.BaseNamedTuple):
            yield from _written(value, field)
        elif isinstance(field, types.Array):
            yield np.array([value.ctypes.data, *value.shape], np.int64).tobytes()
            if field.layout != "C":
                yield np.array(value.strides, np.int64).tobytes()
        elif _slots(field):
            yield np.array([value], str(field)).tobytes().ljust(_SLOT, b"\0")


class Borrowed:
    """A record, and its slots in memory: what Python hands to a loop."""

    def __init__(self, record: Any) -> None:
        self.record = record
        self._numba_type_ = BorrowedRecord(numba.typeof(record))
        self._memory = np.frombuffer(b"".join(_written(record, self._numba_type_.record)) or bytes(_SLOT), np.uint8)
        self.address = self._memory.ctypes.data


@register_model(BorrowedRecord)
class _Address(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, ir.IntType(8).as_pointer())
        self._bytes = _SLOT * _slots(type_.record)

    def from_argument(self, builder: Any, value: Any) -> Any:
        """All of it may be read at any time: fields can be loaded once, before a loop that needs them now and then."""
        value.attributes.dereferenceable = self._bytes
        value.attributes.align = _SLOT
        return value


@unbox(BorrowedRecord)  # type: ignore[untyped-decorator]
def _unbox(_type: Any, value: Any, entry: Any) -> Any:
    number = entry.pyapi.object_getattr_string(value, "address")
    address = entry.pyapi.long_as_ulonglong(number)
    entry.pyapi.decref(number)
    failed = cgutils.is_not_null(entry.builder, entry.pyapi.err_occurred())
    return NativeValue(entry.builder.inttoptr(address, cgutils.voidptr_t), is_error=failed)


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = BorrowedRecord

    def generic_resolve(self, borrowed: Any, name: str) -> Any:
        return borrowed.place(name)[1] if name in borrowed.record.fields else None


@infer
class _FieldsByNumber(AbstractTemplate):  # type: ignore[misc]
    key = "static_getitem"

    def generic(self, arguments: Any, _names: Any) -> Any:
        borrowed, number = arguments
        if not isinstance(borrowed, BorrowedRecord) or not isinstance(number, int):
            return None
        return typing.signature(borrowed.place(borrowed.record.fields[number])[1], *arguments)


@imputils.lower_getattr_generic(BorrowedRecord)  # type: ignore[untyped-decorator]
def _get_field(context: Any, builder: Any, borrowed: Any, address: Any, name: str) -> Any:
    slot, field = borrowed.place(name)
    at = builder.gep(address, [ir.Constant(ir.IntType(64), slot * _SLOT)], inbounds=True)
    if isinstance(field, BorrowedRecord):
        return at
    if isinstance(field, types.Array):
        return _array(context, builder, field, at)
    if not _slots(field):
        return context.get_dummy_value()
    if isinstance(field, types.Boolean):
        return builder.icmp_unsigned("!=", _load(builder, at, 0, ir.IntType(8)), ir.IntType(8)(0))
    return _load(builder, at, 0, context.get_value_type(field))


@imputils.lower_builtin("static_getitem", BorrowedRecord, types.IntegerLiteral)  # type: ignore[untyped-decorator]
def _get_field_by_number(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    borrowed = signature.args[0]
    return _get_field(context, builder, borrowed, arguments[0], borrowed.record.fields[arguments[1]])


def _load(builder: Any, at: Any, slot: int, type_: Any) -> Any:
    place = builder.gep(at, [ir.Constant(ir.IntType(64), slot * _SLOT)], inbounds=True) if slot else at
    loaded = builder.load(builder.bitcast(place, type_.as_pointer()))
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


def _array(context: Any, builder: Any, type_: Any, at: Any) -> Any:
    """The array as numba's kernels know arrays. What of it they do not use, costs nothing in the end."""
    number = context.get_value_type(types.intp)
    fields = context.data_model_manager[type_]._fields
    item = number(context.get_abi_sizeof(context.get_data_type(type_.dtype)))
    lengths = [_load(builder, at, 1 + i, number) for i in range(type_.ndim)]
    steps, items = [item] * type_.ndim, lengths[-1]
    for i in range(type_.ndim - 2, -1, -1):
        steps[i] = builder.mul(items, item, flags=["nsw"])
        items = builder.mul(items, lengths[i], flags=["nsw"])
    if type_.layout != "C":
        steps = [_load(builder, at, 1 + type_.ndim + i, number) for i in range(type_.ndim)]
    array = cgutils.get_null_value(context.get_value_type(type_))
    data = _load(builder, at, 0, array.type.elements[fields.index("data")])
    for name, value in (("nitems", items), ("itemsize", item), ("data", data)):
        array = builder.insert_value(array, value, fields.index(name))
    for name, values in (("shape", lengths), ("strides", steps)):
        for i, value in enumerate(values):
            array = builder.insert_value(array, value, [fields.index(name), i])
    return array
