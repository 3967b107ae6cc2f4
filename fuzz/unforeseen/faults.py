"""What a fault is, and all tables of faults (faults_vmc.py, faults_vmc_values.py, faults_api.py, faults_tik.py).

A fault replaces one method of a simulator. What a user wants to read about it is `says`: regular expressions, one of
which must be found in the cause that lanecheck names ("right"). An expression of `never` claims something that is not so
("wrong"). Every other sentence is "vague". Both are written from the documents and the fault, never from what lanecheck
prints, and are searched without regard to case."""
import dataclasses
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "backend/python"))

#: Claims about one matter, so that a fault of another matter can forbid them.
CLAIMS = {
    "gate": r"\bgate[sd]?\b|\bgated by|\bslots? \d|(ignores?|ignoring|without) (the|its) mask|whole (data )?block|"
            r"inverts the mask|mask .*(advances|moves)",
    "place": r"\b(block|repeat) stride|\baddress|walks? (with|by)|takes other elements",
    "repeats": r"repeat times|repeats? (is|are) (left out|missing|skipped)|(last|first) repeat|repeat 25\d",
    "arithmetic": r"saturat|clamp|round(s|ed|ing)? |two roundings|fused|as (un)?signed|wraps|becomes the largest",
    "neutral": r"neutral|sentinel",
    "empty": r"no lane is active|no active lane|empty (block|mask|prefix|group|reduction)|masked off entirely",
    "state": r"earlier program|left behind|leaks?\b|set_mask|reset_mask|set_vector_mask|mask mode|register",
    "packed": r"bit order|packed bits|msb|most significant",
}


@dataclasses.dataclass
class Fault:
    name: str
    hook: str  # the method that it replaces
    sentence: str
    says: list
    never: list
    function: object
    profile: str

    def plant(self, unit):
        """Puts the fault into a class of simulator. Its function gets the old method, then what the method gets."""
        old, function = getattr(unit, self.hook), self.function
        setattr(unit, self.hook, lambda *arguments: function(old, *arguments))

    def judge(self, sentence, instruction=""):
        """right, vague or wrong. What is said about the instruction that the report shows need not name it again."""
        sentence = re.sub(r"(\d+) (?:to|through) (\d+)", r"\1..\2", sentence)
        sentence = re.sub(r"_(block|repeat)_stride", r" \1 stride", sentence)

        def found(expressions, text):
            return any(re.search(each, text, re.IGNORECASE) for each in expressions)
        if found(self.never, sentence):
            return "wrong"
        return "right" if found(self.says, f"{instruction} {sentence}") else "vague"


ALL = []


def fault(profile):
    """A decorator maker for one table: the matters in `about` are those that a true sentence may speak of."""
    def declare(hook, sentence, *, about, says):
        def keep(function):
            never = [claim for matter, claim in CLAIMS.items() if matter not in about.split()]
            ALL.append(Fault(function.__name__, hook, sentence, says, never, function, profile))
            return function
        return keep
    return declare


def both(*expressions):
    """Matches a sentence that says all of this, in any order."""
    return "".join(f"(?=.*(?:{each}))" for each in expressions)


def every_fault():
    import faults_api  # noqa: F401  each table adds its rows to ALL
    import faults_tik  # noqa: F401
    import faults_vmc  # noqa: F401
    import faults_vmc_values  # noqa: F401
    return ALL


def by_name(name):
    found = [each for each in every_fault() if each.name == name]
    if not found:
        sys.exit(f"there is no fault {name}; there are: {', '.join(each.name for each in ALL)}")
    return found[0]
