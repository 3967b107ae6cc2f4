"""What the Python client knows of instructions, compared with what `lanecheck offers --json` says of them. The
environment names the program: LANECHECK=build/lanecheck."""
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lanecheck_backend  # noqa: E402

PROFILES = ("vmc", "ascendc-a2", "ascendc-310p", "tik")


def instructions(profile):
    """Fields: instruction, mnemonics (mnemonic, dst, src, scalar), operands (role), settings (name)."""
    command = [os.environ["LANECHECK"], "offers", "--json", "--profile", profile]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["instructions"]


class TheClient(unittest.TestCase):
    def test_knows_the_types_behind_every_mnemonic(self):
        for profile in PROFILES:
            for row in instructions(profile):
                for each in row["mnemonics"]:
                    name = each["mnemonic"]
                    expected = (row["instruction"], each.get("dst"), each.get("src"))
                    if "." not in name:  # the client sees only the types that the name holds
                        expected = (row["instruction"], None, None)
                    with self.subTest(profile=profile, mnemonic=name):
                        self.assertEqual(lanecheck_backend.mnemonic(name), expected)

    def test_knows_the_type_of_every_scalar(self):
        for profile in PROFILES:
            for row in instructions(profile):
                for each in row["mnemonics"]:
                    if "scalar" in each:
                        with self.subTest(profile=profile, mnemonic=each["mnemonic"]):
                            shape = lanecheck_backend._shape(each["mnemonic"], {"scalar": {}})
                            self.assertEqual(shape[-1], each["scalar"])

    def test_offers_what_exists(self):
        for profile in PROFILES:
            for row in instructions(profile):
                for each in row["mnemonics"]:
                    offer = lanecheck_backend._offer(each["mnemonic"])
                    with self.subTest(profile=profile, mnemonic=each["mnemonic"]):
                        self.assertEqual(offer["instruction"], row["instruction"])
                        for side in ("dst", "src"):
                            self.assertIn(offer.get(side), (None, each.get(side)))

    def test_names_every_operand_and_setting_in_its_documentation(self):
        for profile in PROFILES:
            for row in instructions(profile):
                names = [each["role"] for each in row["operands"]] + [each["name"] for each in row["settings"]]
                for name in names:
                    with self.subTest(profile=profile, instruction=row["instruction"]):
                        self.assertIn(f"i.{name}", lanecheck_backend.Instruction.__doc__)


if __name__ == "__main__":
    unittest.main()
