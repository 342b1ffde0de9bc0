"""What devices are called on a screen: two words and a number, made of a key, since nobody can compare keys.

A name is of this network: the same device is called otherwise in another. It is no proof of anything, and two devices may
share one by chance (1 in 400,000): where it matters, the key is shown beside it.
"""

from __future__ import annotations

from hashlib import blake2b

__all__ = ["name_of"]

_FIRST = (
    "amber ashen bold brave brief bright brisk calm clear clever cosy curly deft dusky eager early "
    "fair fleet fond free fresh gentle glad golden grand green hardy hazel honest humble ivory jolly "
    "keen kind late lively loyal lucky mellow merry misty modest neat nimble noble olive patient plain "
    "proud quick quiet ready ruby russet shy silver sleek small snowy spry steady sunny swift wise"
).split()
_SECOND = (
    "badger bear beaver bee bison crane crow deer dove duck eagle elk falcon ferret finch fox "
    "gecko goose hare hawk hedgehog heron horse ibex ibis jay kestrel koala lark lemur lion llama "
    "lynx magpie marten mole moose moth newt orca osprey otter owl panda pigeon pony puffin quail "
    "rabbit raven robin salmon seal shrew sparrow squirrel stork swallow swan tiger toad trout vole wren"
).split()


def name_of(key: bytes, salt: bytes) -> str:
    """The name of a device or an author, by its public key, in the network with this salt.

    >>> name_of(bytes(32), bytes(16))
    'quiet magpie 15'
    """
    number = int.from_bytes(blake2b(key, digest_size=8, key=salt, person=b"hunet name").digest(), "big")
    number, first = divmod(number, len(_FIRST))
    number, second = divmod(number, len(_SECOND))
    return f"{_FIRST[first]} {_SECOND[second]} {number % 100:02}"
