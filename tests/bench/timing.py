"""Times in one run, one beside the other: only their ratio means anything."""

import gc
from time import process_time


def _seconds(work):
    start = process_time()  # the processor's time, not the wall's: what else runs on the machine does not count
    work()
    return process_time() - start


def times_slower(work, reference, rounds):
    """How many times longer `work` takes than `reference`: the best of each, taken in turns after one that is not counted."""
    gc.collect()
    gc.disable()
    try:
        pairs = [(_seconds(work), _seconds(reference)) for _ in range(rounds + 1)][1:]
    finally:
        gc.enable()
    ours, theirs = (min(times) for times in zip(*pairs))
    return ours / theirs
