"""Virtual links, the slow and obvious way: walk every path of at most k hops, keep the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

Link = tuple[float, int, list[int]]
"""closeness, hops, the nodes in between"""


def _paths(
    closeness: Mapping[tuple[int, int], float], nodes: int, path: list[int], product: float, hops: int
) -> Iterator[tuple[list[int], float]]:
    if hops == 0:
        return
    here = path[-1]
    for there in range(nodes):
        edge = closeness.get((min(here, there), max(here, there)), 0.0)
        if there not in path and edge > 0:
            longer = [*path, there]
            yield longer, product * edge
            yield from _paths(closeness, nodes, longer, product * edge, hops - 1)


def virtual_links(closeness: Mapping[tuple[int, int], float], nodes: int, hops: int) -> dict[tuple[int, int], Link]:
    """Best product first, then fewer hops, then the smaller nodes, read from the far end of the path."""
    best: dict[tuple[int, int], Link] = {}
    for a in range(nodes):
        for path, product in _paths(closeness, nodes, [a], 1.0, hops):
            b, inner = path[-1], path[1:-1]
            if a < b and product > 0:
                known = best.get((a, b))
                rank = (-product, len(inner), inner[::-1])
                if known is None or rank < (-known[0], len(known[2]), known[2][::-1]):
                    best[a, b] = (product, len(path) - 1, inner)
    return best
