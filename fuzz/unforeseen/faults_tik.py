"""Faults of api_unit.py in the profile tik, written from the TIK page of instructions with a scalar source. Each function
replaces the method named first; `old` is that method."""
import numpy as np

from faults import both, fault
from lanecheck_backend import lanes

tik = fault("tik")


@tik("set_mask", "the words of the list [mask_h, mask_l] are taken in the other order", about="gate state",
     says=[both("high|low|mask_?[hl]|64", "exchang|swap|other|order|lane|xor 64|slot")])
def tik_words_swapped(old, unit, high, low):
    old(unit, low, high)


@tik("counted_repeats", "counter mode runs repeat_times instead of what mask says", about="repeats state",
     says=[both("repeat times|repeat_?times|repeat", "counter|count")])
def tik_counter_runs_repeat_times(old, unit, i):
    return range(i.repeat)


@tik("stride", "src_rep_stride is ignored: src walks as dst", about="place",
     says=[both("repeat stride|rep_stride", "src|dst")])
def tik_src_walks_as_dst(old, unit, i, role, which):
    return old(unit, i, "dst" if role == "src" and which == "repeat_stride" else role, which)


@tik("counted_gate", "counter mode computes whole data blocks", about="repeats gate state empty arithmetic",
     says=[both("block", "count|whole|complet|full|round|past")])
def tik_counter_whole_blocks(old, unit, i, r):
    return np.repeat(old(unit, i, r).reshape(8, lanes(i) // 8).any(axis=1), lanes(i) // 8)
