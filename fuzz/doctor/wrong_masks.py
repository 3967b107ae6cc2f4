"""What wrong_adapter.py makes of masks: the register, its mode, masks that instructions bring, and counts."""


def words_to_bits(high, low):
    return [low >> n & 1 for n in range(64)] + [high >> n & 1 for n in range(64)]


def read_mask_bits(wrong, instruction):
    high, low = int(instruction["high"], 16), int(instruction["low"], 16)
    if wrong == "set_mask-arguments-swapped":
        high, low = low, high
    bits = words_to_bits(high, low)
    if wrong == "set_mask-high-is-0":
        bits[64:] = [0] * 64
    if wrong == "low-32-bits":
        bits[32:64] = bits[96:] = [0] * 32
    if wrong == "words-of-16-bits":
        bits = [bits[n ^ 16] for n in range(128)]
    if wrong == "mask-bits-reversed":
        bits = [int(c) for c in f"{low:064b}"] + [int(c) for c in f"{high:064b}"]
    if wrong == "mask-bits-all-reversed":
        bits = [int(c) for c in f"{high:064b}{low:064b}"]
    return bits


def first_lanes(length):
    return [int(n < length) for n in range(128)]


def number_bits(number):
    return words_to_bits(0, number)


def set_words(wrong, machine, instruction):
    bits = read_mask_bits(wrong, instruction)
    if wrong == "set_mask-high-ignored":
        bits[64:] = machine.mask[64:128]
    if wrong == "set_mask-low-ignored":
        bits[:64] = machine.mask[:64]
    if wrong == "mask-not-connected":
        machine.shown_mask = bits + [1] * 128
    elif wrong != "set_mask-ignored":
        machine.mask[:128] = bits
    if wrong == "set_mask-clears-upper":
        machine.mask[128:] = [0] * 128


def each_mask_late(instructions):
    """Each mask is set behind the instruction that should use it first."""
    late, waiting = [], []
    for instruction in instructions:
        if instruction["op"].split(".")[0] in ("set_mask", "set_vector_mask"):
            waiting.append(instruction)
            continue
        late += [instruction] + waiting
        waiting = []
    return late + waiting


def set_register(wrong, machine, instruction):
    """Runs an instruction that sets the mask or its mode; False if it does something else."""
    name, length = instruction["op"].split(".")[0], instruction.get("len")
    if name in ("set_mask", "set_vector_mask"):
        set_words(wrong, machine, instruction)
    elif name == "set_vector_mask_len":
        machine.mask[:128] = number_bits(length) if wrong == "length-as-bits" else first_lanes(length)
    elif name == "set_vector_mask_total":
        machine.mask[:128] = first_lanes(length) if wrong == "total-as-length" else number_bits(length)
    elif name == "set_mask_norm":
        if wrong != "set_mask_norm-ignored":
            machine.mode = "normal"
    elif name == "set_mask_count":
        if wrong != "set_mask_count-ignored":
            machine.mode = "counter"
    else:
        return False
    return True


def take_operand(wrong, machine, instruction):
    """The mask that the instruction brings goes into the register."""
    before = machine.mask[:128]
    own = instruction.get("mask_operand")
    if own is None:
        return
    if wrong == "own-mask-kept":
        machine.first_own = own = machine.first_own or own
    if "count" in own:
        if wrong == "count-ignored":
            machine.mask[:128] = [1] * 128
        else:
            machine.mask[:128], machine.mode = number_bits(own["count"]), "counter"
    elif wrong == "own-mask-ignored":
        machine.mask[:128] = [1] * 128
    elif "contiguous" in own:
        length = own["contiguous"]
        machine.mask[:128] = number_bits(length) if wrong == "contiguous-as-bits" else first_lanes(length)
    else:
        high, low = int(own["high"], 16), int(own["low"], 16)
        machine.mask[:128] = words_to_bits(low, high) if wrong == "own-mask-words-swapped" else words_to_bits(high, low)
    if wrong == "own-mask-and-register" and "count" not in own:
        machine.mask[:128] = [old & new for old, new in zip(before, machine.mask)]


def leave(machine, instruction):
    if "count" in instruction.get("mask_operand", {}):
        machine.mode, machine.mask = "normal", [1] * 256


def repeats_and_gate(wrong, machine, repeats, lanes):
    """How many repeats are executed, and the function that says whether a lane of a repeat is on."""
    if machine.mode == "normal":
        return repeats, lambda repeat, lane: machine.mask[lane]
    total = sum(bit << n for n, bit in enumerate(machine.mask[:32]))
    if wrong == "count-as-repeats":
        return total, lambda repeat, lane: 1
    if wrong == "count-as-lanes":
        return repeats, lambda repeat, lane: lane < total
    if wrong == "count-fills-repeats":
        return -(-total // lanes), lambda repeat, lane: 1
    needed = -(-total // lanes)
    if wrong == "count-stops-at-repeat":
        needed = min(needed, repeats)
    return needed, lambda repeat, lane: repeat * lanes + lane < total
