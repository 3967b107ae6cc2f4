#!/usr/bin/env python3
"""Is a file JUnit XML as Jenkins' schema has it? Usage: check_junit.py FILE. Prints what is wrong and exits with 1.

The elements and attributes are those of the schema of the Jenkins xUnit plug-in (junit-10.xsd). Beyond the schema:
the counts are right, the names are unique, there is one <system-out>, and no text is longer than 60 KiB.
"""
import re, sys, xml.etree.ElementTree as tree

ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id",
                  "package", "file", "log", "url"},
    "testcase": {"name", "time", "classname", "group"},
    "failure": {"message", "type"}, "error": {"message", "type"}, "skipped": {"message", "type"}, "system-out": set(),
}
CHILDREN = {
    "testsuites": {"testsuite"}, "testsuite": {"testcase", "system-out"}, "testcase": {"failure", "error", "skipped"},
    "failure": set(), "error": set(), "skipped": set(), "system-out": set(),
}
# The schema asks for the name of a test case only; Jenkins shows a case without a class name at no place of its own.
REQUIRED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name", "classname"}}
TIME = r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?"  # SUREFIRE_TIME of the schema


def faults(root):
    if root.tag != "testsuites":
        yield f"the root is <{root.tag}>, not <testsuites>"
    for element in root.iter():
        if element.tag not in ATTRIBUTES:
            yield f"<{element.tag}> is not in the schema"
            continue
        for name in set(element.attrib) - ATTRIBUTES[element.tag]:
            yield f"<{element.tag}> has the attribute {name}"
        for name in REQUIRED.get(element.tag, set()) - set(element.attrib):
            yield f"<{element.tag}> lacks the attribute {name}"
        for child in element:
            if child.tag not in CHILDREN[element.tag]:
                yield f"<{child.tag}> stands in <{element.tag}>"
        if len(tree.tostring(element, encoding="unicode")) > 62 * 1024 and not len(element):
            yield f"a <{element.tag}> is longer than 60 KiB"
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        for element in [root, *root.findall("testsuite")]:
            if name in element.attrib and int(element.get(name)) != len(list(element.iter(tag))):
                yield f"{element.get('name')}: {name} is {element.get(name)}, but there are {len(list(element.iter(tag)))}"
    for element in root.iter():
        if "time" in element.attrib and not re.fullmatch(TIME, element.get("time")):
            yield f"time is '{element.get('time')}'"
    cases = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    if len(cases) != len(set(cases)):
        yield "two test cases have one name"
    if len(list(root.iter("system-out"))) != 1:
        yield "there is not one <system-out>"


found = list(faults(tree.parse(sys.argv[1]).getroot()))
for fault in found:
    print(fault)
sys.exit(1 if found else 0)
